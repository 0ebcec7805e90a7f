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

/** Returns the picture of a custom emoji. */
export function customEmoji(id, name) {
  return el("img", { class: "emoji", src: `/cdn/emojis/${id}`, alt: `:${name}:`, title: `:${name}:`, draggable: "false" });
}

/** Returns a round picture with a person's initials, coloured by id, or the bot's own. */
export function avatar(user, bot = false) {
  if (bot) return el("img", { class: "avatar", src: "/page/bot.svg", alt: "" });
  const initials = user.name.split(/\s+/).map((word) => [...word][0]).slice(0, 2).join("").toUpperCase();
  const hue = Number((BigInt(user.id) >> 3n) % 12n) * 30;
  const node = el("span", { class: "avatar initials", "aria-hidden": "true", text: initials });
  node.style.setProperty("--hue", hue);
  return node;
}

/** Says something to screen readers. */
export function announce(text) {
  const region = document.getElementById("announcer");
  region.textContent = "";
  requestAnimationFrame(() => { region.textContent = text.slice(0, 300); });
}
