// The components of a message, as Discord draws them.

import { customEmoji, el, icon, messageLink, ownPath, safeLink } from "./dom.js";
import { markdown } from "./markdown.js";
import { select } from "./select.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };

/** Returns the elements of `components`. `ctx` has `names`, `waiting` (a set of custom ids), `press`, `choose`. */
export function render(components, ctx) {
  return components.map((component) => one(component, ctx)).filter(Boolean);
}

function one(component, ctx) {
  switch (component.type) {
    case 1: return el("div", { class: "row" }, component.components.map((child) => one(child, ctx)));
    case 2: return button(component, ctx);
    case 3: case 5: case 6: case 7: case 8: return select(component, ctx);
    case 9: return el("div", { class: "section" },
      el("div", { class: "section-text" }, render(component.components, ctx)), one(component.accessory, ctx));
    case 10: return el("div", { class: "text" }, markdown(component.content, ctx.names));
    case 11: return picture(component.media, component.description, component.spoiler, "thumbnail");
    case 12: return el("div", { class: "gallery", data: { count: Math.min(component.items.length, 4) } },
      component.items.map((item) => picture(item.media, item.description, item.spoiler, "tile")));
    case 13: return file(component.file, component.name ?? "file", component.size);
    case 14: return el("hr", { class: `separator${component.spacing === 2 ? " large" : ""}${component.divider === false ? " blank" : ""}` });
    case 17: return container(component, ctx);
    default: return el("p", { class: "unknown", text: `(a component of type ${component.type})` });
  }
}

function container(component, ctx) {
  const node = el("div", { class: "container" }, render(component.components, ctx));
  if (component.accent_color !== undefined && component.accent_color !== null) {
    node.classList.add("accented");
    node.style.setProperty("--accent-bar", `#${component.accent_color.toString(16).padStart(6, "0")}`);
  }
  if (component.spoiler) cover(node, "Spoiler");
  return node;
}

export function emojiOf(emoji) {
  return emoji.id ? customEmoji(emoji.id, emoji.name) : el("span", { class: "unicode", text: emoji.name });
}

function button(component, ctx) {
  const children = [];
  if (component.emoji) children.push(emojiOf(component.emoji));
  if (component.label) children.push(el("span", { class: "label", text: component.label }));
  const look = `button ${STYLES[component.style] ?? "secondary"}`;
  const there = component.style === 5 && messageLink(component.url);
  if (there) return el("button", { class: look, type: "button", on: { click: () => ctx.names.onMessage(there) } }, children);
  if (component.style === 5) {
    const href = safeLink(component.url);
    return el("a", { class: look, href, target: "_blank", rel: "noopener noreferrer" }, children,
      el("span", { class: "away", "aria-hidden": "true", text: "↗" }));
  }
  const name = component.label || (component.emoji?.id ? component.emoji.name.replaceAll("_", " ") : component.emoji?.name);
  const waiting = ctx.waiting.has(component.custom_id);
  const node = el("button", {
    class: look + (waiting ? " waiting" : ""), type: "button", disabled: component.disabled === true,
    "aria-label": name, "aria-busy": waiting ? "true" : null, data: { focus: `b${component.id}` },
    on: { click: () => ctx.press(component.custom_id) },
  }, children);
  return node;
}

function picture(media, alt, spoiler, kind) {
  const path = ownPath(media.url);
  if (!path) {
    const href = safeLink(media.url);
    return el("a", { class: "elsewhere", href, target: "_blank", rel: "noopener noreferrer", text: alt || "Picture elsewhere" });
  }
  const image = el("img", { src: path, alt: alt || "", loading: "lazy", width: media.width, height: media.height });
  if (media.width && media.height) image.style.setProperty("--ratio", media.width / media.height);
  const node = el("button", { class: kind, type: "button", "aria-label": alt ? `Picture: ${alt}` : "Picture",
    on: { click: () => enlarge(path, alt) } }, image);
  if (alt) node.append(el("span", { class: "alt", "aria-hidden": "true", title: alt, text: "ALT" }));
  if (spoiler) cover(node, "Spoiler");
  return node;
}

function enlarge(path, alt) {
  const dialog = el("dialog", { class: "lightbox", "aria-label": alt || "Picture" },
    el("img", { src: path, alt: alt || "" }), alt ? el("p", { text: alt }) : null,
    el("button", { class: "button secondary", type: "button", text: "Close", on: { click: () => dialog.close() } }));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function file(media, name, size) {
  const path = ownPath(media.url);
  const about = [el("span", { class: "file-name", text: name })];
  if (size !== undefined) about.push(el("span", { class: "file-size", text: bytes(size) }));
  return el("a", { class: "file", href: path, download: name }, icon("file"),
    el("span", { class: "file-about" }, about));
}

function bytes(size) {
  if (size < 1024) return `${size} bytes`;
  return size < 1048576 ? `${(size / 1024).toFixed(1)} KB` : `${(size / 1048576).toFixed(1)} MB`;
}

/** Hides an element behind a cover until it is pressed. */
function cover(node, label) {
  node.classList.add("covered");
  const lid = el("button", { class: "lid", type: "button", text: label });
  lid.addEventListener("click", (event) => {
    event.stopPropagation();
    node.classList.remove("covered");
    lid.remove();
  });
  node.append(lid);
}

/** Returns the files of a message of the old kind. */
export function attachments(message) {
  return message.attachments.map((item) => {
    const isPicture = (item.content_type ?? "").startsWith("image/");
    return isPicture
      ? el("div", { class: "gallery", data: { count: 1 } }, picture(item, item.description, false, "tile"))
      : file(item, item.filename, item.size);
  });
}

/** Returns all that a message says, for screen readers and previews. */
export function plainText(message) {
  const parts = [message.content];
  const visit = (component) => {
    if (component.type === 10) parts.push(component.content);
    for (const child of component.components ?? []) visit(child);
  };
  message.components.forEach(visit);
  return parts.filter(Boolean).join("\n")
    .replace(/<a?:(\w+):\d+>/g, "$1").replace(/<t:(\d+)[^>]*>/g, "").replace(/[*_~`|#>]+/g, "").replace(/^-\s*/gm, "").trim();
}
