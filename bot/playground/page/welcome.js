// Choosing who plays in this tab.

import { avatar, el } from "./dom.js";

const LOCALES = { "en-US": "English (US)", "en-GB": "English (UK)", de: "Deutsch", fr: "Français", "es-ES": "Español", "pt-BR": "Português", nl: "Nederlands", pl: "Polski", ru: "Русский", ja: "日本語" };

/** Fills the chooser. `acts` has `become(id)`, `add(name, problem)`, `locale(locale)`. */
export function drawWelcome(node, state, acts) {
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const name = el("input", { id: "new-name", maxlength: 32, required: true, autocomplete: "off", placeholder: "Your name" });
  const adding = el("form", { class: "adding", on: { submit: (event) => {
    event.preventDefault();
    if (name.value.trim()) acts.add(name.value, (text) => { problem.textContent = text; problem.hidden = false; });
  } } }, el("label", { for: "new-name", text: "Or come as somebody new" }),
  el("div", { class: "adding-row" }, name, el("button", { class: "button primary", type: "submit", text: "Play" })), problem);
  const people = state.players.filter((each) => each.tag !== "plays by itself").sort((a, b) => Boolean(a.tag) - Boolean(b.tag));
  const me = people.find((each) => each.id === state.me);
  node.replaceChildren(el("div", { class: "card" },
    el("img", { class: "emblem", src: "/page/bot.svg", alt: "" }),
    el("h1", { id: "welcome-title", text: "Who plays in this tab?" }),
    me ? null : el("p", { class: "lead", text: `${state.bot.name} deals everybody the same game of solitaire: race each other on it. This is a Discord of its own, on this computer only.` }),
    el("p", { class: "lead", text: "Each tab of the browser is one player. Open the page again for a second one." }),
    el("ul", { class: "people" }, people.map((each) => el("li", {}, el("button", {
      class: `person${each.id === state.me ? " current" : ""}`, type: "button", on: { click: () => acts.become(each.id) },
    }, avatar(each), el("span", { class: "person-text" }, el("strong", { text: each.name }), each.tag ? el("span", { text: each.tag }) : null)),
    el("a", { class: "tab", href: `?player=${each.id}`, target: "_blank", rel: "noopener", "aria-label": `${each.name} in a new tab`, title: "In a new tab", text: "↗" })))),
    adding,
    me ? el("label", { class: "locale" }, "Language of Discord for this player ", el("select", { on: { change: (event) => acts.locale(event.target.value) } },
      Object.entries(LOCALES).map(([code, label]) => el("option", { value: code, selected: me.locale === code, text: label })))) : null,
    me ? el("button", { class: "button plain", type: "button", text: "Back", on: { click: () => { node.hidden = true; } } }) : null));
  node.hidden = false;
  if (me) name.focus();
}
