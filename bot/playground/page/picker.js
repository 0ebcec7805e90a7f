// The list above the message box: commands while a slash is typed, values while an option is.

import { el } from "./dom.js";

/** A listbox that an input controls; the focus stays in the input. */
export class Picker {
  constructor() {
    this.list = el("ul", { class: "picker-list", id: "picker-list", role: "listbox", "aria-label": "Suggestions" });
    this.title = el("p", { class: "picker-title" });
    this.node = el("div", { class: "picker", hidden: true }, this.title, this.list);
    this.items = [];
    this.active = -1;
  }

  get isOpen() {
    return !this.node.hidden;
  }

  /** Shows items ({name, about, tail}); `choose(item)` is called with the one taken. */
  show(input, title, items, choose, { preselect = true } = {}) {
    this.input = input;
    this.choose = choose;
    this.items = items;
    this.title.textContent = title;
    this.list.replaceChildren(...items.map((item, position) => el("li", {
      class: "picker-item", role: "option", id: `picker-${position}`, "aria-selected": "false",
      on: { mousedown: (event) => event.preventDefault(), click: () => this.take(position), pointermove: () => this.highlight(position) },
    }, el("span", { class: "picker-name", text: item.name }), item.tail ? el("span", { class: "picker-tail", text: item.tail }) : null,
    item.about ? el("span", { class: "picker-about", text: item.about }) : null)));
    this.node.hidden = !items.length && !title;
    this.list.hidden = !items.length;
    input.setAttribute("aria-expanded", String(this.isOpen && items.length > 0));
    this.highlight(preselect && items.length ? 0 : -1);
  }

  hide() {
    this.node.hidden = true;
    this.items = [];
    this.active = -1;
    this.input?.setAttribute("aria-expanded", "false");
    this.input?.removeAttribute("aria-activedescendant");
  }

  highlight(position) {
    this.active = position;
    [...this.list.children].forEach((item, index) => {
      item.classList.toggle("active", index === position);
      item.setAttribute("aria-selected", String(index === position));
    });
    if (position < 0) this.input?.removeAttribute("aria-activedescendant");
    else {
      this.input.setAttribute("aria-activedescendant", `picker-${position}`);
      this.list.children[position].scrollIntoView({ block: "nearest" });
    }
  }

  take(position = this.active) {
    const item = this.items[position];
    if (item) this.choose(item);
    return Boolean(item);
  }

  /** Handles a key of the input; returns whether it was for the list. */
  key(event) {
    if (!this.isOpen) return false;
    if (event.key === "Escape") {
      this.hide();
    } else if (!this.items.length) {
      return false;
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.highlight((this.active + step + this.items.length) % this.items.length);
    } else if ((event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) && this.active >= 0) {
      this.take();
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }
}
