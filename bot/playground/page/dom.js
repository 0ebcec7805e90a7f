// Building elements. Text always becomes text nodes: nothing here, or anywhere in the page, parses HTML.

/** Returns a new element. `props` may hold `class`, `text`, `on` (listeners), `data`, and any attribute. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") node.className = value;
    else if (name === "text") node.textContent = value;
    else if (name === "on") for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    else if (name === "data") Object.assign(node.dataset, value);
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Returns the same-origin path of an address that this server made, null for one from elsewhere. */
export function ownPath(url) {
  try {
    const parsed = new URL(url, location.href);
    const ours = parsed.pathname.startsWith("/cdn/") && ["127.0.0.1", "localhost", "[::1]"].includes(parsed.hostname);
    return ours ? parsed.pathname + parsed.search : null;
  } catch {
    return null;
  }
}

/** Returns `url` if it may be a link, null otherwise. */
export function safeLink(url) {
  try {
    return ["http:", "https:"].includes(new URL(url).protocol) ? url : null;
  } catch {
    return null;
  }
}

/** Returns the channel and the message that `url`, a link to a message on Discord, leads to; null for other links. */
export function messageLink(url) {
  const found = /^https:\/\/discord\.com\/channels\/(?:@me|\d+)\/(\d+)\/(\d+)$/.exec(url);
  return found && { channel: found[1], message: found[2] };
}

/** Returns the picture of a custom emoji. */
export function customEmoji(id, name) {
  return el("img", { class: "emoji", src: `/cdn/emojis/${id}`, alt: `:${name}:`, title: `:${name}:`, draggable: "false" });
}

/** Returns a round picture with a person's initials, coloured by id, or the bot's own. */
export function avatar(user, bot = false) {
  if (bot) return el("img", { class: "avatar", src: "/page/bot.svg", alt: "" });
  const initials = user.name.split(/\s+/).map((word) => [...word][0]).slice(0, 2).join("").toUpperCase();
  const hue = (Number(BigInt(user.id) & 0xffffn) * 137) % 360; // the golden angle keeps neighbours apart
  const node = el("span", { class: "avatar initials", "aria-hidden": "true", text: initials });
  node.style.setProperty("--hue", hue);
  return node;
}

const SHAPES = {
  eye: "M2 12s3.500-6.500 10-6.500S22 12 22 12s-3.500 6.500-10 6.500S2 12 2 12zM12 9.200a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600z",
  file: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  send: "M4 4.500 21 12 4 19.500 6.500 12zM6.500 12H13",
};

/** Returns a drawn symbol. */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "drawn");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", SHAPES[name]);
  svg.append(shape);
  return svg;
}

/** Says something to screen readers. */
export function announce(text) {
  const region = document.getElementById("announcer");
  region.textContent = "";
  requestAnimationFrame(() => { region.textContent = text.slice(0, 300); });
}
