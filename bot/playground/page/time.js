// Discord's timestamps: <t:SECONDS:STYLE>, in the reader's zone and language, relative ones ticking.

import { el } from "./dom.js";

const STYLES = {
  t: { hour: "numeric", minute: "2-digit" },
  T: { hour: "numeric", minute: "2-digit", second: "2-digit" },
  d: { year: "numeric", month: "2-digit", day: "2-digit" },
  D: { year: "numeric", month: "long", day: "numeric" },
  f: { year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit" },
  F: { weekday: "long", year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit" },
};
const UNITS = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

let language; // of the reader; until that is known, the browser's
let relativeFormat = new Intl.RelativeTimeFormat(language, { numeric: "always" });
let clockOffset = 0; // server's clock minus this one, in milliseconds

export function setServerTime(seconds) {
  clockOffset = seconds * 1000 - Date.now();
}

/** Writes times in the language `locale` from here on; says whether that is a change. */
export function setTimeLanguage(locale) {
  if (locale === language) return false;
  language = locale;
  relativeFormat = new Intl.RelativeTimeFormat(language, { numeric: "always" });
  return true;
}

function format(seconds, style) {
  return new Intl.DateTimeFormat(language, STYLES[style]).format(new Date(seconds * 1000));
}

function relative(seconds) {
  const away = Math.trunc(seconds - (Date.now() + clockOffset) / 1000);
  const [unit, size] = UNITS.find(([, s]) => Math.abs(away) >= s) ?? UNITS.at(-1);
  return relativeFormat.format(Math.trunc(away / size), unit);
}

/** Returns a timestamp as an element. */
export function timestamp(seconds, style) {
  const known = style in STYLES || style === "R" ? style : "f";
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return el("span", { text: "Invalid date" });
  const text = known === "R" ? relative(seconds) : format(seconds, known);
  const node = el("time", { class: "timestamp", datetime: date.toISOString(), title: format(seconds, "F"), text });
  if (known === "R") node.dataset.relative = seconds;
  return node;
}

/** Returns the time of a message for its head. */
export function messageTime(iso) {
  const date = new Date(iso);
  const today = new Date().toDateString() === date.toDateString();
  const text = today ? format(date / 1000, "t") : `${format(date / 1000, "d")} ${format(date / 1000, "t")}`;
  return el("time", { class: "when", datetime: iso, title: format(date / 1000, "F"), text });
}

setInterval(() => {
  for (const node of document.querySelectorAll("[data-relative]")) {
    const text = relative(Number(node.dataset.relative));
    if (node.textContent !== text) node.textContent = text;
  }
}, 250);
