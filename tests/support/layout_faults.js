// What can't be read or touched on a page: cut or torn words, small or hidden keys, too wide parts.
// The body of a function; its argument is the least width and height of what people touch.

const faults = [];
const say = (what, element) => faults.push(`${what}: ${element.outerHTML.slice(0, 140)}`);
const width = document.documentElement.clientWidth;
if (document.documentElement.scrollWidth > width) {
    for (const each of document.querySelectorAll("body *")) {
        if (each.getBoundingClientRect().right > width + 0.5) say("beyond the side", each);
    }
}
const isShown = (each) => each.checkVisibility({ visibilityProperty: true }) &&
    getComputedStyle(each).clipPath === "none";
const dialog = document.querySelector("dialog[open]");
const controls = [...(dialog ?? document).querySelectorAll("button, a, input, select, summary, [data-hold]")];
const y = scrollY;
for (const each of controls.filter(isShown)) {
    each.scrollIntoView({ block: "center" });
    const box = each.getBoundingClientRect();
    if (Math.min(box.width, box.height) < arguments[0] - 0.5) say(`${box.width} by ${box.height}`, each);
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const isHeld = hit?.closest("#secret, .cover.open"); // it lies over the form as long as the cover is open
    if (hit === null || !(isHeld || each.contains(hit) || hit.contains(each))) say("can't be reached", each);
}
scrollTo(0, y);
const texts = document.createTreeWalker(dialog ?? document.body, NodeFilter.SHOW_TEXT);
for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const owner = text.parentElement;
    if (!text.data.trim() || !isShown(owner)) continue;
    const part = document.createRange();
    part.selectNodeContents(text);
    const inside = owner.closest("button, .key, td, th, li, .sheet, .hold, .display, .envelope") ?? document.body;
    const [letters, room] = [part.getBoundingClientRect(), inside.getBoundingClientRect()];
    if (letters.left < room.left - 1 || letters.right > room.right + 1 || letters.bottom > room.bottom + 1) {
        if (owner.closest(".scrolls, .cards") === null) say("cut", owner);
    }
    for (const word of text.data.matchAll(/[A-Za-zÀ-ž0-9½−]+/g)) {
        part.setStart(text, word.index);
        part.setEnd(text, word.index + word[0].length);
        const lines = new Set([...part.getClientRects()].map((each) => Math.round(each.top)));
        if (lines.size > 1) say(`torn ${word[0]}`, owner);
    }
}
for (const each of document.querySelectorAll("input")) {
    if (isShown(each) && each.scrollWidth > each.clientWidth + 1) say("cut", each);
}
return faults;
