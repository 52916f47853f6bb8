// Elements of the page.

/** The element with an id. */
export const byId = (id) => document.getElementById(id);

/** Makes an element of HTML. */
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}
