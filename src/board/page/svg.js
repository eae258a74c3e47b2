// Making parts of the page and elements of a drawing.

import { h } from "./vendor/preact.js";

export { render } from "./vendor/preact.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} name @param {Record<string, string | number | undefined>} [attributes]
 * @param {(SVGElement | string)[]} children @returns {SVGElement}
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

/** Turns a part of a drawing into another one, and keeps the elements that are the same. @param {Element} old @param {Element} now */
export function redraw(old, now) {
  const known = [...old.children];
  const parts = [...now.children].map((part) => {
    const at = known.findIndex((other) => other.isEqualNode(part));
    return at < 0 ? part : known.splice(at, 1)[0];
  });
  for (const gone of known) gone.remove();
  parts.forEach((part, i) => { if (old.children[i] !== part) old.insertBefore(part, old.children[i] ?? null); });
}

/** A drawing as a part of the page. @param {SVGElement} drawing @param {Record<string, (event: any) => void>} [listeners] */
export function drawn(drawing, listeners = {}) {
  const attributes = Object.fromEntries([...drawing.attributes].map(({ name, value }) => [name, value]));
  return h(drawing.localName, { ...attributes, ...listeners, dangerouslySetInnerHTML: { __html: drawing.innerHTML } });
}

/**
 * A part of the page, for `render`. What has an `id` or a `key` is the same element in each drawing.
 * @param {string} name
 * @param {Record<string, any>} [attributes] `on...` are listeners; `true` sets an attribute, `false` leaves it out
 * @param {(Child | SVGElement)[]} children @returns {VNode}
 */
export function html(name, attributes = {}, ...children) {
  const { id, value } = attributes;
  const field = /** @type {any} */ (document.activeElement);
  // The page must not write over what the player is typing.
  const typed = ["input", "textarea"].includes(name) && value !== undefined && field?.id === id ? { value: field.value } : {};
  return h(name, { key: id, ...attributes, ...typed }, ...children.map((child) => child instanceof SVGElement ? drawn(child) : child));
}
