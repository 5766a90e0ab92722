// Small helpers for elements. Texts are always set as text, never as HTML.

// Returns a new element. `attributes` may have `on`, with the listeners by event; true sets an empty attribute,
// and null, undefined and false set none.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

// Replaces what is in an element; null stands for nothing.
export function place(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null));
}

export const byId = (id) => document.getElementById(id);

// Returns a key that people press.
export function makeKey(label, press, attributes = {}) {
  return make("button", { type: "button", on: { click: press }, ...attributes }, label);
}

const contents = new WeakMap();

// Fills an element again only if `content`, any JSON, has changed: nothing is announced twice, and nobody
// loses the focus. `build` returns the children; an element without children is hidden.
export function fill(element, content, build) {
  const text = JSON.stringify(content);
  if (contents.get(element) === text) return;
  contents.set(element, text);
  const children = build().filter((child) => child !== null);
  place(element, ...children);
  element.hidden = children.length === 0;
}
