// The registered commands, flattened to what can be typed.

const SUBCOMMAND = 1;
const GROUP = 2;

/** Returns all commands that can be called, subcommands as commands of their own, in the reader's locale. */
export function flatten(commands, locale) {
  const leaves = [];
  const visit = (node, path, labels) => {
    const names = [...path, node.name];
    const shown = [...labels, node.name_localizations?.[locale] ?? node.name];
    const inner = (node.options ?? []).filter((option) => option.type === SUBCOMMAND || option.type === GROUP);
    if (inner.length) {
      inner.forEach((child) => visit(child, names, shown));
      return;
    }
    leaves.push({
      path: names.join(" "),
      label: shown.join(" "),
      about: node.description_localizations?.[locale] ?? node.description,
      options: (node.options ?? []).map((option) => ({
        ...option,
        label: option.name_localizations?.[locale] ?? option.name,
        about: option.description_localizations?.[locale] ?? option.description,
        choices: (option.choices ?? []).map((choice) => ({ name: choice.name_localizations?.[locale] ?? choice.name, value: choice.value })),
      })),
    });
  };
  commands.forEach((command) => visit(command, [], []));
  const first = (leaf) => leaf.path.split(" ")[0];
  return leaves.sort((a, b) => first(a).localeCompare(first(b))); // subcommands stay in the bot's order
}

/** Returns the commands that fit what stands after the slash, the best ones first. */
export function matching(leaves, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = (leaf) => {
    const label = leaf.label.toLowerCase();
    if (label.startsWith(typed.toLowerCase().trim())) return 0;
    return words.every((word) => label.includes(word)) ? 1 : 2;
  };
  return leaves.map((leaf) => [rank(leaf), leaf]).filter(([r]) => r < 2).sort(([a], [b]) => a - b).map(([, leaf]) => leaf);
}

/** Returns the value of an option that `text` means; throws an Error that says what is wrong with it. */
export function parseValue(option, text, known) {
  const fixed = [...(known ?? []), ...option.choices].find((choice) => [choice.name, String(choice.value)].some((name) => name.toLowerCase() === text.toLowerCase()));
  if (fixed) return fixed.value;
  if (option.choices.length && !option.autocomplete) throw new Error(`${option.label}: choose one from the list`);
  if (option.type === 4 || option.type === 10) {
    const number = Number(text);
    if (!text.trim() || Number.isNaN(number) || (option.type === 4 && !Number.isInteger(number))) throw new Error(`${option.label}: a ${option.type === 4 ? "whole " : ""}number`);
    if (option.min_value !== undefined && number < option.min_value) throw new Error(`${option.label}: ${option.min_value} or more`);
    if (option.max_value !== undefined && number > option.max_value) throw new Error(`${option.label}: ${option.max_value} or less`);
    return number;
  }
  if (option.type === 5 || (option.type >= 6 && option.type <= 9)) throw new Error(`${option.label}: choose one from the list`);
  if (option.type === 11) throw new Error(`${option.label}: files cannot be sent from here`);
  if (option.min_length !== undefined && text.length < option.min_length) throw new Error(`${option.label}: ${option.min_length} characters or more`);
  if (option.max_length !== undefined && text.length > option.max_length) throw new Error(`${option.label}: ${option.max_length} characters or less`);
  return text;
}

/** Returns what can be chosen for an option without asking the bot. */
export function suggestions(option, { players, channels, roles }) {
  if (option.type === 5) return [{ name: "True", value: true }, { name: "False", value: false }];
  if (option.type === 6 || option.type === 9) return players.map((player) => ({ name: player.name, value: player.id }));
  if (option.type === 7) return channels.filter((channel) => channel.guild).map((channel) => ({ name: `#${channel.name}`, value: channel.id }));
  if (option.type === 8) return roles.map((role) => ({ name: role.name, value: role.id }));
  return option.choices;
}
