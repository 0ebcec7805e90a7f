// Selects: a button that opens a list, usable by pointer, keyboard and screen reader.

import { el } from "./dom.js";
import { emojiOf } from "./components.js";

let counter = 0;
let closeOpen = null; // closes the list that is open, if one is

document.addEventListener("pointerdown", (event) => {
  if (closeOpen && !event.target.closest(".select")) closeOpen();
});

/** Returns a select of a message. */
export function select(component, ctx) {
  const options = component.options ?? ctx.optionsFor(component);
  const waiting = ctx.waiting.has(component.custom_id);
  return chooser({
    options,
    chosen: [...options.filter((option) => option.default), ...component.default_values ?? []].map((each) => each.value ?? each.id),
    least: component.min_values ?? 1,
    most: component.max_values ?? 1,
    placeholder: component.placeholder || "Make a selection",
    disabled: component.disabled === true || waiting,
    waiting,
    focusKey: `s${component.id}`,
    onChange: (values) => ctx.choose(component.custom_id, values),
  });
}

/** Returns a select with these options; `onChange` gets the chosen values when the list closes. */
export function chooser({ options, chosen, least, most, placeholder, disabled, waiting, focusKey, label, onChange }) {
  const id = `select-${++counter}`;
  const picked = new Set(chosen);
  const multiple = most > 1;
  let active = -1;

  const face = el("span", { class: "select-face" });
  const trigger = el("button", {
    type: "button", class: `select-trigger${waiting ? " waiting" : ""}`, disabled, id, role: "combobox",
    "aria-haspopup": "listbox", "aria-expanded": "false", "aria-controls": `${id}-list`, "aria-label": label ?? placeholder,
    data: focusKey ? { focus: focusKey } : {},
  }, face, el("span", { class: "chevron", "aria-hidden": "true" }));
  const items = options.map((option, position) => el("li", {
    class: "option", id: `${id}-${position}`, role: "option", "aria-selected": "false",
    on: { click: () => toggle(position), pointermove: () => highlight(position) },
  }, option.emoji ? emojiOf(option.emoji) : null,
  el("span", { class: "option-text" }, el("span", { text: option.label }),
    option.description ? el("span", { class: "option-about", text: option.description }) : null),
  el("span", { class: "tick", "aria-hidden": "true" })));
  const listbox = el("ul", { class: "listbox", id: `${id}-list`, role: "listbox", hidden: true,
    "aria-label": placeholder, "aria-multiselectable": multiple ? "true" : null }, items);
  const node = el("div", { class: "select" }, trigger, listbox);

  function draw() {
    const names = options.filter((option) => picked.has(option.value)).map((option) => option.label);
    face.textContent = names.length ? names.join(", ") : placeholder;
    face.classList.toggle("empty", !names.length);
    items.forEach((item, position) => item.setAttribute("aria-selected", String(picked.has(options[position].value))));
  }
  function highlight(position) {
    active = position;
    items.forEach((item, index) => item.classList.toggle("active", index === position));
    trigger.setAttribute("aria-activedescendant", items[position]?.id ?? "");
    items[position]?.scrollIntoView({ block: "nearest" });
  }
  function open() {
    closeOpen?.();
    listbox.hidden = false;
    trigger.setAttribute("aria-expanded", "true");
    const space = window.innerHeight - trigger.getBoundingClientRect().bottom;
    listbox.classList.toggle("upwards", space < 260);
    highlight(Math.max(0, options.findIndex((option) => picked.has(option.value))));
    closeOpen = () => close(true);
  }
  function close(report) {
    if (listbox.hidden) return;
    listbox.hidden = true;
    closeOpen = null;
    trigger.setAttribute("aria-expanded", "false");
    trigger.removeAttribute("aria-activedescendant");
    const changed = [...picked].sort().join() !== [...chosen].sort().join();
    if (report && multiple && changed && picked.size >= least && picked.size <= most) onChange([...picked]);
  }
  function toggle(position) {
    const { value } = options[position];
    if (multiple) {
      if (!picked.delete(value) && picked.size < most) picked.add(value);
      draw();
      return;
    }
    picked.clear();
    picked.add(value);
    draw();
    close(false);
    trigger.focus();
    onChange([value]);
  }
  trigger.addEventListener("click", () => (listbox.hidden ? open() : close(true)));
  trigger.addEventListener("keydown", (event) => {
    if (listbox.hidden) {
      if (["ArrowDown", "ArrowUp"].includes(event.key)) { event.preventDefault(); open(); }
      return;
    }
    const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
    if (event.key in steps) {
      event.preventDefault();
      highlight(Math.min(options.length - 1, Math.max(0, active + steps[event.key])));
    } else if (["Enter", " "].includes(event.key)) {
      event.preventDefault();
      toggle(active);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      event.preventDefault();
      close(true);
    } else if (event.key === "Tab") close(true);
  });
  draw();
  return node;
}
