// The cover over what only the player of this seat may see.
//
// It is open while a finger holds it. So one thumb is enough: the keys for an answer show nothing of it, the
// thumb types, then holds the cover to look, and lets go. Keyboards and screen readers have a toggle. While the
// cover is closed, nothing secret is in the document, only in the memory of the page.

import { make, makeKey } from "/static/dom.js";
import { text } from "/static/texts.js";

export class Cover {
  isOpen = false;
  #isHeld = false;
  #onChange;
  #toggle;
  #hold;

  // `onChange` is called after the cover has opened or closed.
  constructor(onChange) {
    this.#onChange = onChange;
    this.#hold = make("div", { class: "hold", "data-hold": true, "aria-hidden": "true", on: {
      pointerdown: (event) => this.#press(event),
      pointerup: () => this.#letGo(),
      pointercancel: () => this.#letGo(),
      lostpointercapture: () => this.#letGo(),
      contextmenu: (event) => event.preventDefault(),
    } });
    this.#toggle = makeKey("", () => this.#set(!this.isOpen), { class: "reveal-toggle small" });
    this.element = make("div", { class: "cover" }, this.#hold, this.#toggle);
    addEventListener("blur", () => this.close());
    addEventListener("pagehide", () => this.close());
    document.addEventListener("visibilitychange", () => this.close());
    addEventListener("keydown", (event) => event.key === "Escape" && this.close());
    this.say();
  }

  open() {
    this.#set(true);
  }

  close() {
    this.#set(false);
  }

  // Says in the language of the page what the cover does.
  say() {
    this.#hold.textContent = text(this.isOpen ? "cover:open" : "cover:hold");
    this.#toggle.textContent = text("cover:toggle");
    this.#toggle.setAttribute("aria-pressed", String(this.isOpen));
    this.element.classList.toggle("open", this.isOpen);
  }

  #press(event) {
    event.preventDefault();
    this.#hold.setPointerCapture(event.pointerId);
    this.#isHeld = true;
    this.#set(true);
  }

  #letGo() {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.close();
  }

  #set(isOpen) {
    if (this.isOpen === isOpen) return;
    this.isOpen = isOpen;
    this.say();
    this.#onChange();
  }
}
