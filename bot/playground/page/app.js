// The page: a player's view of the playground.

import { announce, avatar, el } from "./dom.js";
import { Composer } from "./composer.js";
import { openForm } from "./forms.js";
import { MessageList } from "./messages.js";
import { Socket } from "./socket.js";
import { setServerTime, setTimeLanguage } from "./time.js";
import { drawWelcome } from "./welcome.js";

const MODAL = 9;
const FAILED = "This interaction failed";
const STALE = "That button is no longer there.";

const byId = (id) => document.getElementById(id);
const state = { players: [], channels: [], roles: [], commands: {}, messages: new Map(), unread: new Map(), tips: [], bot: null, me: null, current: null };

// ----------------------------------------------------------------- who plays

const asked = new URLSearchParams(location.search).get("player") ?? sessionStorage.getItem("player");
const socket = new Socket(asked, receive, (up) => {
  const banner = byId("banner");
  banner.hidden = up;
  banner.textContent = "The connection is lost. Trying again…";
});

function become(id) {
  sessionStorage.setItem("player", id);
  const url = new URL(location.href);
  url.searchParams.set("player", id);
  location.assign(url);
}

const player = (id) => state.players.find((each) => each.id === id);
const channelOf = (id) => state.channels.find((each) => each.id === id);

// -------------------------------------------------------------- what is said

function receive(event) {
  switch (event.t) {
    case "hello": return hello(event);
    case "players": return players(event);
    case "lists": {
      Object.assign(state, { channels: event.channels, roles: event.roles, commands: event.commands });
      if (state.me) { drawChannels(); composer.refresh(); }
      return undefined;
    }
    case "message": return message(event.message);
    case "gone": return gone(event);
    case "added": return become(event.id);
    case "refused": return announce(event.error);
    default: return undefined;
  }
}

function hello(event) {
  setServerTime(event.now);
  Object.assign(state, { me: event.me, bot: event.bot, players: event.players, channels: event.channels, roles: event.roles, commands: event.commands, tips: event.tips });
  if (!event.me) {
    sessionStorage.removeItem("player");
    return showWelcome();
  }
  sessionStorage.setItem("player", event.me);
  const url = new URL(location.href);
  url.searchParams.set("player", event.me);
  history.replaceState(null, "", url);
  state.messages = new Map(Object.entries(event.messages).map(([id, list]) => [id, new Map(list.map((each) => [each.id, each]))]));
  setTimeLanguage(player(state.me).locale);
  byId("welcome").hidden = true;
  byId("app").hidden = false;
  const remembered = sessionStorage.getItem("channel");
  drawSelf();
  openChannel(channelOf(state.current)?.id ?? channelOf(remembered)?.id ?? state.channels[0].id);
  return undefined;
}

function players(event) {
  state.players = event.players;
  if (!state.me) return showWelcome();
  if (setTimeLanguage(player(state.me).locale)) openChannel(state.current);
  drawSelf();
  return undefined;
}

function message(received) {
  const channel = state.messages.get(received.channel_id);
  if (!channel) return;
  const isNew = !channel.has(received.id);
  channel.set(received.id, received);
  if (received.channel_id === state.current) list.put(received);
  else if (isNew && received.author.id !== state.me) {
    const before = state.unread.get(received.channel_id) ?? { count: 0, pinged: false };
    state.unread.set(received.channel_id, { count: before.count + 1, pinged: before.pinged || received.pinged || channelOf(received.channel_id)?.kind === 1 });
    drawChannels();
  }
}

function gone({ id, channel }) {
  state.messages.get(channel)?.delete(id);
  if (channel === state.current) list.remove(id);
}

// ------------------------------------------------------------------- drawing

function drawChannels() {
  const groups = Map.groupBy ? Map.groupBy(state.channels, (each) => each.guild) : group(state.channels);
  byId("channels").replaceChildren(...[...groups].map(([guild, channels]) => el("section", {},
    el("h2", { text: guild ? (groups.size > 2 ? guild : "Text channels") : "Private" }),
    el("ul", {}, channels.map((channel) => {
      const unread = state.unread.get(channel.id);
      const here = channel.id === state.current;
      return el("li", {}, el("button", {
        class: `channel${here ? " current" : ""}${unread ? " unread" : ""}`, type: "button", "aria-current": here ? "page" : null,
        on: { click: () => { openChannel(channel.id); closeSidebar(); } },
      }, el("span", { class: "sigil", "aria-hidden": "true", text: channel.kind === 1 ? "@" : "#" }), el("span", { class: "channel-name", text: channel.name }),
      unread ? el("span", { class: `count${unread.pinged ? " pinged" : ""}`, text: unread.count, "aria-label": `${unread.count} new` }) : null));
    })))));
  byId("menu").classList.toggle("unread", state.unread.size > 0);
  byId("guild").textContent = state.channels.find((each) => each.guild)?.guild ?? "";
}

function group(channels) {
  const groups = new Map();
  for (const channel of channels) groups.set(channel.guild, [...(groups.get(channel.guild) ?? []), channel]);
  return groups;
}

function drawSelf() {
  const me = player(state.me);
  byId("self").replaceChildren(avatar(me),
    el("span", { class: "self-name" }, el("strong", { text: me.name }), el("span", { text: me.tag || "in this tab" })),
    el("button", { class: "button secondary small", type: "button", text: "Switch", "aria-label": "Switch the player of this tab", on: { click: showWelcome } }));
  document.title = `${me.name} · ${state.bot.name} playground`;
}

function openChannel(id) {
  state.current = id;
  sessionStorage.setItem("channel", id);
  state.unread.delete(id);
  const channel = channelOf(id);
  byId("title").textContent = channel.kind === 1 ? `@ ${channel.name}` : `# ${channel.name}`;
  byId("topic").textContent = channel.topic || (channel.kind === 1 ? "Only you and the bot are here" : "");
  drawChannels();
  list.open([...state.messages.get(id)?.values() ?? []], intro(channel));
  composer.refresh();
}

function intro(channel) {
  const name = channel.kind === 1 ? channel.name : `#${channel.name}`;
  const rivals = state.players.filter((each) => each.tag === "plays by itself").map((each) => each.name);
  const about = channel.kind === 1 ? "What the bot sends you alone arrives here."
    : rivals.length ? `Open a race, or play the daily. ${rivals.join(", ")} joins each race; for more people, open this page in more tabs.`
      : "Open a race, or play the daily. For more people, open this page in more tabs.";
  return el("li", { class: "intro" }, el("span", { class: "intro-sigil", "aria-hidden": "true", text: channel.kind === 1 ? "@" : "#" }),
    el("h2", { text: `Welcome to ${name}` }), el("p", { text: about }));
}

function showWelcome() {
  byId("app").hidden = !state.me;
  drawWelcome(byId("welcome"), state, {
    become,
    add: (name, problem) => socket.send("add_player", { name }, (answer) => (answer.t === "refused" ? problem(answer.error) : undefined)),
    locale: (locale) => socket.send("locale", { locale }),
  });
}

// -------------------------------------------------------------------- acting

const names = {
  user: (id) => (id === state.bot.id ? state.bot.name : player(id)?.name ?? "unknown-user"),
  role: (id) => state.roles.find((each) => each.id === id)?.name ?? "unknown-role",
  channel: (id) => channelOf(id)?.name ?? "unknown",
  onChannel: (id) => { if (channelOf(id)) openChannel(id); },
  onMessage: ({ channel, message: id }) => {
    if (!channelOf(channel)) return;
    if (channel !== state.current) openChannel(channel);
    list.show(id);
  },
  onCommand: (path) => composer.start(path),
};

function optionsFor(component) {
  if (component.type === 8) return state.channels.filter((each) => each.guild).map((each) => ({ label: `#${each.name}`, value: each.id }));
  if (component.type === 6) return state.roles.map((each) => ({ label: each.name, value: each.id }));
  return state.players.map((each) => ({ label: each.name, value: each.id }));
}

/** Handles the answer to something done; `problem` shows what went wrong, or nothing. */
function answered(answer, problem) {
  if (answer.t === "failed") problem(FAILED);
  else if (answer.t === "refused") problem(answer.error);
  else {
    problem(null);
    if (answer.type === MODAL) showForm(answer.opener, answer.form);
  }
}

function showForm(opener, form) {
  openForm(form, {
    names,
    optionsFor,
    submit: (answers, done) => socket.send("submit", { opener, answers }, (answer) => answered(answer, (error) => done(error ? "Something went wrong. Try again." : null))),
  });
}

function component(op, id, customId, values) {
  if (!list.wait(id, customId)) return; // the last press of it is still under way
  socket.send(op, { message: id, custom_id: customId, ...values }, (answer) => answered(answer, (error) => list.settle(id, customId, answer.t === "refused" ? STALE : error)));
}

const list = new MessageList({
  names,
  optionsFor,
  get me() { return state.me; },
  get bot() { return state.bot; },
  press: (id, customId) => component("press", id, customId, {}),
  choose: (id, customId, values) => component("select", id, customId, { values }),
  dismiss: (id) => socket.send("dismiss", { message: id }),
});

const composer = new Composer({
  commands: () => state.commands[state.current] ?? [],
  locale: () => player(state.me)?.locale,
  lists: () => state,
  tips: () => state.tips,
  channelName: () => { const channel = channelOf(state.current); return channel ? (channel.kind === 1 ? `@${channel.name}` : `#${channel.name}`) : ""; },
  say: (text, problem) => socket.send("say", { channel: state.current, text }, (answer) => answered(answer, problem)),
  slash: (path, options, problem) => socket.send("slash", { channel: state.current, path, options }, (answer) => answered(answer, problem)),
  complete: (path, options, focused, show) => socket.send("complete", { channel: state.current, path, options, focused },
    (answer) => show(answer.t === "answer" ? answer.choices : [])),
});
byId("composer").append(composer.node);

// ------------------------------------------------------------------- sidebar

function closeSidebar() {
  byId("sidebar").classList.remove("open");
  byId("shade").hidden = true;
  byId("menu").setAttribute("aria-expanded", "false");
}

byId("menu").addEventListener("click", () => {
  const open = byId("sidebar").classList.toggle("open");
  byId("shade").hidden = !open;
  byId("menu").setAttribute("aria-expanded", String(open));
  if (open) byId("sidebar").querySelector("button")?.focus();
});
byId("shade").addEventListener("click", closeSidebar);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeSidebar();
  const writing = event.target.closest?.("input, textarea, select, dialog, [role=combobox]");
  if (event.key === "/" && !writing && state.me && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    if (composer.command) composer.leave();
    composer.input.value = "/";
    composer.input.focus();
    composer.typed();
  }
});
