// The message box: ordinary text, or a slash command with its options.

import { announce, el, icon } from "./dom.js";
import { flatten, matching, parseValue, suggestions } from "./commands.js";
import { Picker } from "./picker.js";

const COMPLETE_AFTER = 150; // milliseconds of rest before the bot is asked for completions

export class Composer {
  /** `app` gives `commands()`, `locale()`, `lists()`, `say`, `slash`, `complete`, `tips`, `channelName()`. */
  constructor(app) {
    this.app = app;
    this.picker = new Picker();
    this.problem = el("p", { class: "problem", role: "alert", hidden: true });
    this.tips = el("div", { class: "tips" });
    this.entry = el("div", { class: "entry" });
    this.node = el("form", { on: { submit: (event) => { event.preventDefault(); this.send(); } } },
      this.tips, this.picker.node, this.problem, this.entry);
    this.plain();
  }

  refresh() {
    const known = new Set(this.leaves().map((leaf) => leaf.path));
    const tips = this.app.tips().filter((tip) => known.has(tip.slice(1)));
    this.tips.hidden = Boolean(this.command) || !tips.length;
    this.tips.replaceChildren(...tips.map((tip) => el("button", { class: "chip", type: "button", on: { click: () => this.start(tip.slice(1)) } },
      tip)));
    if (!this.command) this.input.placeholder = `Message ${this.app.channelName()}, or / for a command`;
  }

  leaves() {
    return flatten(this.app.commands(), this.app.locale());
  }

  complain(text) {
    this.problem.textContent = text ?? "";
    this.problem.hidden = !text;
  }

  // ------------------------------------------------------------------ text

  plain(text = "") {
    this.command = null;
    this.complain();
    this.picker.hide();
    const box = el("textarea", {
      id: "entry", class: "entry-text", rows: 1, autocomplete: "off", role: "combobox", "aria-autocomplete": "list",
      "aria-expanded": "false", "aria-controls": "picker-list", "aria-label": "Message", maxlength: 2000, value: text,
      on: { input: () => this.typed(), keydown: (event) => this.textKey(event), blur: () => setTimeout(() => {
        if (document.activeElement !== this.input && !this.command) this.picker.hide();
      }, 150) },
    });
    this.input = box;
    this.entry.replaceChildren(
      el("button", { class: "slash", type: "button", "aria-label": "Commands", title: "Commands", text: "/", on: { click: () => {
        if (!this.input.value.startsWith("/")) this.input.value = "/";
        this.input.focus();
        this.typed();
      } } }), box, this.sendButton("Send message"));
    this.refresh();
  }

  sendButton(label) {
    return el("button", { class: "send", type: "submit", "aria-label": label, title: label }, icon("send"));
  }

  typed() {
    this.complain();
    const { value } = this.input;
    this.input.style.height = "auto";
    this.input.style.height = `${Math.min(this.input.scrollHeight, 160)}px`;
    if (!value.startsWith("/") || value.includes("\n")) {
      this.picker.hide();
      return;
    }
    const typed = value.slice(1);
    const exact = typed.endsWith(" ") && this.leaves().find((leaf) => leaf.label === typed.trim());
    if (exact) {
      this.start(exact.path);
      return;
    }
    const found = matching(this.leaves(), typed);
    const items = found.map((leaf) => ({
      name: `/${leaf.label}`, about: leaf.about, leaf,
      tail: leaf.options.map((option) => (option.required ? option.label : `[${option.label}]`)).join(" "),
    }));
    this.picker.show(this.input, items.length ? "Commands" : "No command fits", items, (item) => this.start(item.leaf.path));
  }

  textKey(event) {
    if (this.picker.key(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.send();
    }
  }

  // -------------------------------------------------------------- commands

  /** Begins the command at `path`, showing the options that it needs. */
  start(path) {
    const leaf = this.leaves().find((each) => each.path === path);
    if (!leaf) {
      this.complain(`There is no command /${path} here`);
      return;
    }
    this.picker.hide();
    this.complain();
    this.command = leaf;
    this.tips.hidden = true;
    this.fields = new Map();
    this.pills = el("div", { class: "pills" });
    this.more = el("div", { class: "more" });
    this.entry.replaceChildren(el("div", { class: "command", role: "group", "aria-label": `Command ${path}` },
      el("button", { class: "command-pill", type: "button", title: "Leave the command", "aria-label": `/${leaf.label}: leave the command`,
        on: { click: () => this.leave() } }, `/${leaf.label}`), this.pills, this.more), this.sendButton("Send command"));
    const needed = leaf.options.filter((option) => option.required);
    (needed.length ? needed : leaf.options.slice(0, 1)).forEach((option) => this.addField(option));
    this.drawMore();
    announce(`/${leaf.label}: ${leaf.about}`);
    const first = this.fields.values().next().value;
    if (first) first.input.focus();
    else {
      this.entry.querySelector(".send").focus();
      this.hint();
    }
  }

  hint() {
    const { about } = this.command;
    this.picker.show(this.entry.querySelector(".send"), about, [], () => {});
  }

  leave() {
    this.plain();
    this.input.focus();
  }

  addField(option) {
    const input = el("input", {
      class: "option-input", role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "picker-list",
      "aria-label": `${option.label}: ${option.about}`, "aria-required": option.required ? "true" : null, autocomplete: "off", spellcheck: "false",
      inputmode: option.type === 4 ? "numeric" : option.type === 10 ? "decimal" : null, placeholder: option.required ? "" : "optional",
      on: { focus: () => this.suggest(field), input: () => { field.known = null; this.fit(input); this.suggest(field); },
        keydown: (event) => this.fieldKey(event, field) },
    });
    const node = el("label", { class: "pill" }, el("span", { class: "pill-name", text: option.label }), input);
    const field = { option, input, node, known: null, found: [] };
    this.fields.set(option.name, field);
    this.pills.append(node);
    this.fit(input);
    return field;
  }

  fit(input) {
    input.style.width = `${Math.max(input.placeholder ? 8 : 4, input.value.length + 1)}ch`;
    input.closest(".pill")?.classList.remove("wrong");
  }

  removeField(field) {
    this.fields.delete(field.option.name);
    field.node.remove();
    this.drawMore();
  }

  drawMore() {
    const left = this.command.options.filter((option) => !this.fields.has(option.name));
    this.more.replaceChildren(...left.map((option) => el("button", { class: "more-option", type: "button", title: option.about, text: `+${option.label}`,
      "aria-label": `Add ${option.label}: ${option.about}`, on: { click: () => { const field = this.addField(option); this.drawMore(); field.input.focus(); } } })));
  }

  suggest(field) {
    const { option, input } = field;
    const typed = input.value.trim().toLowerCase();
    const title = `${option.label} — ${option.about}`;
    const take = (item) => this.fill(field, item.choice);
    if (option.autocomplete) {
      clearTimeout(this.timer);
      const show = () => this.picker.show(input, title, field.found.map((choice) => ({ name: choice.name, choice })), take, { preselect: Boolean(typed) });
      show();
      this.timer = setTimeout(() => this.app.complete(this.command.path, this.values(field), option.name, (choices) => {
        field.found = choices;
        if (document.activeElement === input) show();
      }), COMPLETE_AFTER);
      return;
    }
    const all = suggestions(option, this.app.lists());
    const chosen = all.some((choice) => choice.name.toLowerCase() === typed);
    const fitting = chosen ? all : all.filter((choice) => choice.name.toLowerCase().includes(typed));
    this.picker.show(input, title, fitting.map((choice) => ({ name: choice.name, choice })), take,
      { preselect: Boolean(option.required || typed) && field.known === null && !chosen });
  }

  fill(field, choice) {
    field.input.value = choice.name;
    field.known = choice;
    this.fit(field.input);
    const next = [...this.fields.values()].find((each) => each.option.required && !each.input.value.trim());
    if (next) next.input.focus();
    else {
      field.input.focus();
      this.picker.show(field.input, "Press Enter to send", [], () => {});
    }
  }

  /** Returns the values so far, what cannot be read left out; the one that is being typed as it stands. */
  values(typing) {
    const values = {};
    for (const field of this.fields.values()) {
      const text = field.input.value;
      if (field === typing) values[field.option.name] = text;
      else if (text.trim()) {
        try { values[field.option.name] = this.valueOf(field); } catch { /* not yet complete */ }
      }
    }
    return values;
  }

  valueOf(field) {
    if (field.known) return field.known.value;
    const listed = [...field.found, ...suggestions(field.option, this.app.lists())];
    return parseValue(field.option, field.input.value.trim(), listed);
  }

  fieldKey(event, field) {
    if (event.isComposing) return;
    if (event.key === "Enter" && field.known) this.picker.hide();
    if (this.picker.key(event)) return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.send();
    } else if (event.key === "Escape") {
      this.leave();
    } else if (event.key === "Backspace" && !field.input.value) {
      event.preventDefault();
      const fields = [...this.fields.values()];
      const before = fields[fields.indexOf(field) - 1];
      if (field.option.required && !before) this.leave();
      else {
        if (!field.option.required) this.removeField(field);
        (before ?? fields.find((each) => each !== field))?.input.focus();
        if (!before && this.fields.size === 0) this.leave();
      }
    }
  }

  // --------------------------------------------------------------- sending

  send() {
    if (!this.command) {
      const text = this.input.value.trim();
      if (!text) return;
      if (text.startsWith("/")) {
        if (this.picker.isOpen && this.picker.take()) return;
        this.picker.hide();
        this.complain("No command is called that");
        return;
      }
      this.plain();
      this.input.focus();
      this.app.say(text, (error) => this.complain(error));
      return;
    }
    const values = {};
    for (const field of this.fields.values()) {
      const text = field.input.value.trim();
      try {
        if (!text && field.option.required) throw new Error(`${field.option.label} is needed`);
        if (text) values[field.option.name] = this.valueOf(field);
      } catch (error) {
        field.node.classList.add("wrong");
        field.input.focus();
        this.complain(error.message);
        return;
      }
    }
    const { path } = this.command;
    this.plain();
    this.input.focus();
    this.app.slash(path, values, (error) => this.complain(error));
  }
}
