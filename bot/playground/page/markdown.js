// Discord's markdown, into elements.

import { customEmoji, el, messageLink, safeLink } from "./dom.js";
import { timestamp } from "./time.js";

const EMOJI_ONLY = /^(?:\s|<a?:\w+:\d+>|\p{Extended_Pictographic}(?:\uFE0F|\u200D|\p{Extended_Pictographic}|\p{Emoji_Modifier})*)+$/u;
// A list ends where a line of its own depth has the other kind of mark; deeper lines belong to it in any case.
const BULLETS = /^(?: {0,1}[-*]\s+[^\n]*(?:\n|$)(?: {2,}[^\n]*(?:\n|$))*)+/;
const NUMBERED = /^(?: {0,1}\d+\.\s+[^\n]*(?:\n|$)(?: {2,}[^\n]*(?:\n|$))*)+/;
const JUMBO = 30; // more emoji than that are shown at the usual size

/** Returns the nodes of a text. `names` resolves mentions: user(id), role(id), channel(id), onChannel, onMessage, onCommand. */
export function markdown(text, names) {
  const nodes = blocks(text, names);
  const emoji = text.match(/<a?:\w+:\d+>|\p{Extended_Pictographic}/gu) ?? [];
  if (emoji.length && emoji.length <= JUMBO && EMOJI_ONLY.test(text)) return [el("div", { class: "jumbo" }, nodes)];
  return nodes;
}

function blocks(text, names) {
  const nodes = [];
  let rest = text;
  let lines = [];
  const flush = () => {
    if (lines.length) nodes.push(...inlineLines(lines, names));
    lines = [];
  };
  while (rest) {
    const fence = /^```(?:([\w+-]*)\n)?([\s\S]*?)\n?```(?:\n|$)?/.exec(rest);
    if (fence) {
      flush();
      nodes.push(el("pre", {}, el("code", { text: fence[2] })));
      rest = rest.slice(fence[0].length);
      continue;
    }
    const end = rest.search(/\n|(?<=.)(?=```)/);
    const line = end < 0 ? rest : rest.slice(0, end);
    const after = end < 0 ? "" : rest.slice(rest[end] === "\n" ? end + 1 : end);
    const heading = /^(#{1,3})\s+(.+)$/.exec(line);
    if (heading) {
      flush();
      nodes.push(el(`h${heading[1].length + 2}`, { class: `h${heading[1].length}` }, inline(heading[2], names)));
    } else if (/^-#\s+\S/.test(line)) {
      flush();
      nodes.push(el("small", { class: "subtext" }, inline(line.replace(/^-#\s+/, ""), names)));
    } else if (/^>>> /.test(line)) {
      flush();
      nodes.push(el("blockquote", {}, blocks(rest.slice(4), names)));
      return nodes;
    } else if (/^> /.test(line)) {
      flush();
      const quoted = /^(?:> [^\n]*(?:\n|$))+/.exec(rest)[0];
      nodes.push(el("blockquote", {}, blocks(quoted.replace(/^> /gm, "").replace(/\n$/, ""), names)));
      rest = rest.slice(quoted.length);
      continue;
    } else if (/^ ?(?:[-*]|\d+\.)\s+\S/.test(line)) {
      flush();
      const kind = /^ *\d/.test(line) ? NUMBERED : BULLETS;
      const listed = kind.exec(rest)[0];
      nodes.push(list(listed.replace(/\n$/, "").split("\n"), names));
      rest = rest.slice(listed.length);
      continue;
    } else {
      lines.push(line);
    }
    rest = after;
  }
  flush();
  return nodes;
}

/** Returns the list that `lines` describe, nested by their indentation. */
function list(lines, names) {
  const first = /^( *)([-*]|\d+\.)\s/.exec(lines[0]);
  const indent = first[1].length;
  const numbered = /\d/.test(first[2]);
  const node = el(numbered ? "ol" : "ul", numbered ? { start: parseInt(first[2], 10) } : {});
  let position = 0;
  while (position < lines.length) {
    const text = lines[position++].replace(/^ *(?:[-*]|\d+\.)\s+/, "");
    const item = el("li", {}, inline(text, names));
    const inner = [];
    while (position < lines.length && /^ */.exec(lines[position])[0].length > indent) inner.push(lines[position++]);
    const isList = inner.length && /^ *(?:[-*]|\d+\.)\s/.test(inner[0]);
    if (isList) item.append(list(inner, names));
    else for (const line of inner) item.append(el("br"), ...inline(line.trim(), names));
    node.append(item);
  }
  return node;
}

function inlineLines(lines, names) {
  return [el("p", {}, inline(lines.join("\n"), names))];
}

const wrap = (tag, props) => (match, names) => el(tag, props, inline(match[1], names));

const RULES = [
  [/\\([^A-Za-z0-9\s])/y, (m) => m[1]],
  [/(`+)([\s\S]*?[^`])\1(?!`)/y, (m) => el("code", { text: m[2].trim() || m[2] })],
  [/\*\*\*([\s\S]+?)\*\*\*(?!\*)/y, (m, n) => el("strong", {}, el("em", {}, inline(m[1], n)))],
  [/\*\*([\s\S]+?)\*\*(?!\*)/y, wrap("strong", {})],
  [/__([\s\S]+?)__(?!_)/y, wrap("u", {})],
  [/~~([\s\S]+?)~~/y, wrap("s", {})],
  [/\|\|([\s\S]+?)\|\|/y, (m, n) => spoiler(inline(m[1], n))],
  [/\*(?=\S)((?:\*\*|[^*])+?)(?<=\S)\*(?!\*)/y, wrap("em", {})],
  [/(?<![A-Za-z0-9])_((?:__|\\[\s\S]|[^\\_])+?)_(?![A-Za-z0-9])/y, wrap("em", {})],
  [/<a?:(\w+):(\d+)>/y, (m) => customEmoji(m[2], m[1])],
  [/<t:(-?\d{1,13})(?::([a-zA-Z]))?>/y, (m) => timestamp(Number(m[1]), m[2] ?? "f")],
  [/<@!?(\d+)>/y, (m, n) => el("span", { class: "mention", text: `@${n.user(m[1])}` })],
  [/<@&(\d+)>/y, (m, n) => el("span", { class: "mention", text: `@${n.role(m[1])}` })],
  [/<#(\d+)>/y, (m, n) => action(`#${n.channel(m[1])}`, () => n.onChannel(m[1]))],
  [/<\/([^:>\n]+):(\d+)>/y, (m, n) => action(`/${m[1]}`, () => n.onCommand(m[1]))],
  [/@(?:everyone|here)\b/y, (m) => el("span", { class: "mention", text: m[0] })],
  [/\[([^\]\n]+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/y, (m, n) => link(m[2], inline(m[1], n), n)],
  [/<(https?:\/\/[^\s>]+)>/y, (m, n) => link(m[1], [m[1]], n)],
  [/https?:\/\/[^\s<>"')\]]+/y, (m, n) => link(m[0], [m[0]], n)],
  [/\n/y, () => el("br")],
];

function inline(text, names) {
  const nodes = [];
  let plain = "";
  let position = 0;
  scan: while (position < text.length) {
    for (const [pattern, make] of RULES) {
      pattern.lastIndex = position;
      const match = pattern.exec(text);
      if (!match) continue;
      const next = pattern.lastIndex;
      if (plain) nodes.push(plain);
      plain = "";
      nodes.push(make(match, names));
      position = next;
      continue scan;
    }
    plain += text[position++];
  }
  if (plain) nodes.push(plain);
  return nodes;
}

function action(text, run) {
  return el("button", { class: "mention", type: "button", text, on: { click: run } });
}

function link(url, children, names) {
  const there = messageLink(url);
  if (there) return el("button", { class: "linklike", type: "button", on: { click: () => names.onMessage(there) } }, children);
  const href = safeLink(url);
  return href ? el("a", { href, target: "_blank", rel: "noopener noreferrer" }, children) : el("span", {}, children);
}

function spoiler(children) {
  const cover = el("span", { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler: press to show" });
  const inner = el("span", { "aria-hidden": "true" }, children);
  const show = (event) => {
    if (event.type === "keydown" && !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    cover.classList.add("shown");
    cover.removeAttribute("role");
    cover.removeAttribute("tabindex");
    cover.removeAttribute("aria-label");
    inner.removeAttribute("aria-hidden");
  };
  cover.append(inner);
  cover.addEventListener("click", show, { once: true });
  cover.addEventListener("keydown", show);
  return cover;
}
