// Elements of the page.

const SVG = "http://www.w3.org/2000/svg";

/** The element with an id. */
export const byId = (id) => document.getElementById(id);

const shown = new WeakMap();

/** Whether a place has to show another value than at the last call. If not, its elements stay, and keep focus and pointer. */
export function differs(place, value) {
  const text = JSON.stringify(value);
  const isNew = shown.get(place) !== text;
  shown.set(place, text);
  return isNew;
}

/** Makes an element of HTML. */
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/** Makes an element of SVG. */
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
