// Forms that the bot opens (modals).

import { el } from "./dom.js";
import { markdown } from "./markdown.js";
import { chooser } from "./select.js";

/** Shows a form. `submit(answers, done)` sends it off; `done(error)` closes the form or shows why it stays open. */
export function openForm(form, { names, optionsFor, submit }) {
  const answers = {};
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const send = el("button", { class: "button primary", type: "submit", text: "Submit" });
  const body = form.components.map((item) => part(item, answers, { names, optionsFor }));
  const element = el("form", { method: "dialog", novalidate: true }, el("h2", { text: form.title, id: "form-title" }),
    el("div", { class: "fields" }, body), problem,
    el("div", { class: "form-buttons" },
      el("button", { class: "button plain", type: "button", text: "Cancel", on: { click: () => dialog.close() } }), send));
  const dialog = el("dialog", { class: "form", "aria-labelledby": "form-title" }, element);

  const complain = (text) => {
    problem.textContent = text;
    problem.hidden = false;
    send.disabled = false;
  };
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    const wrong = [...element.querySelectorAll("input, textarea")].find((input) => !input.checkValidity());
    if (wrong) {
      wrong.focus();
      complain(wrong.validationMessage);
      return;
    }
    send.disabled = true;
    problem.hidden = true;
    submit(answers, (error) => (error ? complain(error) : dialog.close()));
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) element.requestSubmit();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  element.querySelector("input, textarea, .select-trigger")?.focus();
}

function part(item, answers, ctx) {
  if (item.type === 10) return el("div", { class: "text" }, markdown(item.content, ctx.names));
  const field = item.type === 18 ? item.component : item.components[0];
  const label = item.type === 18 ? item.label : field.label;
  const id = `field-${field.custom_id}`;
  const required = field.required ?? field.type !== 23;
  const head = el("label", { for: id }, label, required ? el("span", { class: "star", "aria-hidden": "true", text: " *" }) : null);
  const about = item.description ? el("p", { class: "field-about", id: `${id}-about`, text: item.description }) : null;
  return el("div", { class: "field" }, head, about, input(field, id, label, answers, required, ctx));
}

function input(field, id, label, answers, required, ctx) {
  const name = field.custom_id;
  if (field.type === 4) {
    answers[name] = field.value ?? "";
    const tag = field.style === 2 ? "textarea" : "input";
    const most = field.max_length ?? 4000;
    return el(tag, {
      id, placeholder: field.placeholder, required, minlength: field.min_length || null, maxlength: most,
      rows: tag === "textarea" ? 4 : null, autocomplete: "off", value: field.value ?? "",
      on: { input: (event) => { answers[name] = event.target.value; } },
    });
  }
  if (field.type === 23) {
    answers[name] = Boolean(field.default);
    return el("input", { id, type: "checkbox", checked: field.default, on: { change: (event) => { answers[name] = event.target.checked; } } });
  }
  if (field.type === 21 || field.type === 22) return boxes(field, answers, required);
  const options = field.options ?? ctx.optionsFor(field);
  const chosen = options.filter((option) => option.default).map((option) => option.value);
  answers[name] = chosen;
  return chooser({
    options, chosen, label, least: field.min_values ?? 1, most: field.max_values ?? 1,
    placeholder: field.placeholder || "Make a selection", onChange: (values) => { answers[name] = values; },
  });
}

function boxes(field, answers, required) {
  const single = field.type === 21;
  const name = field.custom_id;
  const chosen = new Set(field.options.filter((option) => option.default).map((option) => option.value));
  const keep = () => {
    if (!single) answers[name] = [...chosen];
    else if (chosen.size) [answers[name]] = chosen;
  };
  keep();
  return el("div", { class: "boxes", role: single ? "radiogroup" : "group" }, field.options.map((option) => el("label", { class: "box" },
    el("input", {
      type: single ? "radio" : "checkbox", name, required: single && required, checked: chosen.has(option.value),
      on: { change: (event) => {
        if (single) chosen.clear();
        if (event.target.checked) chosen.add(option.value); else chosen.delete(option.value);
        keep();
      } },
    }), el("span", {}, option.label, option.description ? el("span", { class: "option-about", text: option.description }) : null))));
}
