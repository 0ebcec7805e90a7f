// The list of messages of the channel that is open.

import { announce, avatar, el, icon } from "./dom.js";
import { attachments, plainText, render } from "./components.js";
import { markdown } from "./markdown.js";
import { messageTime } from "./time.js";

const GROUPED_WITHIN = 7 * 60 * 1000;
const NEAR_END = 90;

export class MessageList {
  /** `app` gives `names`, `press`, `choose`, `dismiss`, `optionsFor`, `player(id)` and `me`. */
  constructor(app) {
    this.app = app;
    this.list = document.getElementById("messages");
    this.scroller = document.getElementById("scroller");
    this.newer = document.getElementById("newer");
    this.messages = new Map();
    this.waiting = new Map(); // message id -> custom ids of pressed components without an answer
    this.failed = new Map(); // message id -> what went wrong with the last press
    this.newer.addEventListener("click", () => this.toEnd());
    this.scroller.addEventListener("scroll", () => this.scrolled(), { passive: true });
    const resized = new ResizeObserver(() => this.resized());
    resized.observe(this.scroller);
    resized.observe(this.list);
    this.height = 0; // of all messages, when last looked at
    this.stuck = true; // the end stays in sight when messages come or grow
  }

  /** Shows a channel from its messages, an intro above them. */
  open(messages, intro) {
    this.messages = new Map(messages.map((message) => [message.id, message]));
    this.list.replaceChildren(intro);
    let previous = null;
    for (const message of messages) {
      this.list.append(this.item(message, previous));
      previous = message;
    }
    this.stuck = true;
    this.toEnd();
  }

  put(message) {
    const old = this.messages.get(message.id);
    const last = [...this.messages.values()].at(-1);
    if (!old && last && BigInt(message.id) < BigInt(last.id)) return; // older than what is shown
    this.messages.set(message.id, message);
    if (old) {
      this.redraw(message.id);
      if (message.only_you) announce(changed(plainText(old), plainText(message)));
      return;
    }
    this.list.append(this.item(message, last));
    const mine = message.author.id === this.app.me;
    if (!mine) announce(`${this.nameOf(message)}: ${plainText(message)}`);
    if (this.stuck || mine || message.only_you) this.toEnd();
    else this.newer.hidden = false;
  }

  remove(id) {
    if (!this.messages.delete(id)) return;
    const node = this.node(id);
    const next = node?.nextElementSibling;
    node?.remove();
    if (next?.dataset.id) this.redraw(next.dataset.id);
  }

  node(id) {
    return this.list.querySelector(`[data-id="${CSS.escape(id)}"]`);
  }

  /** Draws a message again, keeping the focus on the button (by its place) that has it. */
  redraw(id) {
    const node = this.node(id);
    const message = this.messages.get(id);
    if (!node || !message) return;
    const focused = node.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    const before = [...this.messages.values()];
    const fresh = this.item(message, before[before.indexOf(message) - 1] ?? null);
    node.replaceWith(fresh);
    if (focused === null) return;
    const target = fresh.querySelector(`[data-focus="${CSS.escape(focused ?? "")}"]`);
    if (target && !target.disabled) target.focus({ preventScroll: true });
    else fresh.focus({ preventScroll: true });
  }

  /** Shows that a component waits for its answer; returns false if it does so already. */
  wait(id, customId) {
    if (this.waiting.get(id)?.has(customId)) return false;
    this.failed.delete(id);
    if (!this.waiting.has(id)) this.waiting.set(id, new Set());
    this.waiting.get(id).add(customId);
    this.redraw(id);
    return true;
  }

  settle(id, customId, problem) {
    this.waiting.get(id)?.delete(customId);
    if (problem) this.failed.set(id, problem);
    this.redraw(id);
    if (problem) announce(problem);
  }

  atEnd() {
    return this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight < NEAR_END;
  }

  /** Lets go of the end if somebody scrolled away from it, but not if it moved away because a message grew. */
  scrolled() {
    const atEnd = this.atEnd();
    if (atEnd) this.newer.hidden = true;
    if (this.height === this.scroller.scrollHeight) this.stuck = atEnd;
  }

  resized() {
    if (this.stuck) this.toEnd();
    this.height = this.scroller.scrollHeight;
  }

  toEnd() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.stuck = true;
    this.newer.hidden = true;
  }

  nameOf(message) {
    return message.author.bot ? this.app.bot.name : (message.author.global_name ?? message.author.username);
  }

  item(message, previous) {
    const { app } = this;
    const bot = Boolean(message.author.bot);
    const author = this.nameOf(message);
    const context = this.context(message);
    const grouped = previous && !context && previous.author.id === message.author.id && !message.only_you && !previous.only_you
      && new Date(message.timestamp) - new Date(previous.timestamp) < GROUPED_WITHIN;
    const node = el("li", {
      class: `message${grouped ? " grouped" : ""}${message.only_you ? " only-you" : ""}${message.pinged ? " pinged" : ""}`,
      data: { id: message.id }, tabindex: "-1",
    });
    if (context) node.append(context);
    const head = grouped ? null : el("div", { class: "message-head" },
      el("span", { class: "author", text: author }), bot ? el("span", { class: "app-tag", text: "APP" }) : null, messageTime(message.timestamp));
    const body = el("div", { class: "message-body" }, head, this.content(message));
    node.append(el("div", { class: "message-main" },
      grouped ? el("span", { class: "gutter" }) : avatar({ id: message.author.id, name: author }, bot), body));
    const problem = this.failed.get(message.id);
    if (problem) body.append(el("p", { class: "failure", text: problem }));
    if (message.only_you) body.append(el("p", { class: "private" }, icon("eye"), "Only you can see this · ",
      el("button", { class: "linklike", type: "button", text: "Dismiss message", on: { click: () => app.dismiss(message.id) } })));
    return node;
  }

  /** Scrolls to a message, if it is still there. */
  show(id) {
    const node = this.node(id);
    node?.scrollIntoView({ block: "center", behavior: "smooth" });
    node?.focus({ preventScroll: true });
  }

  /** Returns the line above a message that says what it answers. */
  context(message) {
    const about = message.interaction_metadata;
    if (about?.name) {
      return el("p", { class: "context" }, el("span", { class: "spine", "aria-hidden": "true" }),
        el("span", { class: "who", text: about.user.global_name }), " used ", el("span", { class: "command-name", text: `/${about.name}` }));
    }
    const answered = message.message_reference && this.messages.get(message.message_reference.message_id);
    if (!answered) return null;
    const text = plainText(answered).split("\n")[0].slice(0, 80) || "a message";
    return el("p", { class: "context" }, el("span", { class: "spine", "aria-hidden": "true" }),
      el("button", { class: "linklike", type: "button", text: `${this.nameOf(answered)}: ${text}`, on: { click: () => this.show(answered.id) } }));
  }

  content(message) {
    if (message.flags & 128) return el("p", { class: "thinking" }, `${this.app.bot.name} is thinking`, el("span", { class: "dots", "aria-hidden": "true" }));
    const ctx = {
      names: this.app.names,
      optionsFor: this.app.optionsFor,
      waiting: this.waiting.get(message.id) ?? new Set(),
      press: (customId) => this.app.press(message.id, customId),
      choose: (customId, values) => this.app.choose(message.id, customId, values),
    };
    const isV2 = Boolean(message.flags & 32768);
    const parts = [];
    if (message.content) {
      const text = el("div", { class: "content" }, markdown(message.content, this.app.names));
      if (message.edited_timestamp) text.append(el("span", { class: "edited", text: " (edited)" }));
      parts.push(text);
    }
    for (const embed of message.embeds) {
      parts.push(el("div", { class: "container accented" }, [embed.title, embed.description].filter(Boolean)
        .map((part) => el("div", { class: "text" }, markdown(part, this.app.names)))));
    }
    if (!isV2) parts.push(...attachments(message));
    if (message.components.length) parts.push(el("div", { class: `components${isV2 ? " v2" : ""}` }, render(message.components, ctx)));
    return parts;
  }
}

/** Returns the lines of `after` that `before` does not have. */
function changed(before, after) {
  const old = new Set(before.split("\n"));
  return after.split("\n").filter((line) => line && !old.has(line)).join(". ");
}
