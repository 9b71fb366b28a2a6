// Keys: from the bytes of a terminal (legacy sequences, modifyOtherKeys, Kitty's protocol) to names like `ctrl+shift+a`.
const SHIFT = 1;
const ALT = 2;
const CTRL = 4;
const SUPER = 8;
const LOCKS = 64 + 128;
const MODIFIERS = { shift: SHIFT, alt: ALT, ctrl: CTRL, super: SUPER };
// The order in which `parseKey` names modifiers.
const NAMED = [
  ["shift", SHIFT],
  ["ctrl", CTRL],
  ["alt", ALT],
  ["super", SUPER],
];
const SYMBOLS = {
  backtick: "`", hyphen: "-", equals: "=", leftbracket: "[", rightbracket: "]", backslash: "\\", semicolon: ";", quote: "'",
  comma: ",", period: ".", slash: "/", exclamation: "!", at: "@", hash: "#", dollar: "$", percent: "%", caret: "^",
  ampersand: "&", asterisk: "*", leftparen: "(", rightparen: ")", underscore: "_", plus: "+", pipe: "|", tilde: "~",
  leftbrace: "{", rightbrace: "}", colon: ":", lessthan: "<", greaterthan: ">", question: "?",
};
const SYMBOL_SET = new Set(Object.values(SYMBOLS));
const SPECIAL = ["escape", "esc", "enter", "return", "tab", "space", "backspace", "delete", "insert", "clear", "home", "end",
  "pageUp", "pageDown", "up", "down", "left", "right", ...Array.from({ length: 12 }, (_, i) => `f${i + 1}`)];
const SYNONYMS = { esc: "escape", return: "enter", pageup: "pageUp", pagedown: "pageDown" };

const LETTERS = { A: "up", B: "down", C: "right", D: "left", E: "clear", F: "end", H: "home", P: "f1", Q: "f2", R: "f3", S: "f4" };
const RXVT = { a: "up", b: "down", c: "right", d: "left", e: "clear" };
const NUMBERS = {
  1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pageUp", 6: "pageDown", 7: "home", 8: "end", 11: "f1", 12: "f2", 13: "f3",
  14: "f4", 15: "f5", 17: "f6", 18: "f7", 19: "f8", 20: "f9", 21: "f10", 23: "f11", 24: "f12",
};
// Codes of the Kitty protocol that are not characters, and the keypad's characters.
const KITTY = {
  9: "tab", 13: "enter", 27: "escape", 32: "space", 127: "backspace", 57414: "enter", 57417: "left", 57418: "right", 57419: "up",
  57420: "down", 57421: "pageUp", 57422: "pageDown", 57423: "home", 57424: "end", 57425: "insert", 57426: "delete",
};
const KEYPAD = "0123456789./*-+";
const keypadCharacter = (code) => {
  if (code === 57415) return "=";
  if (code === 57416) return ",";
  return code >= 57399 && code <= 57413 ? KEYPAD[code - 57399] : undefined;
};
const FUNCTIONAL_FROM = 57344;
const FUNCTIONAL_TO = 63743;

let isKittyActive = false;
export const setKittyProtocolActive = (active) => void (isKittyActive = active);
export const isKittyProtocolActive = () => isKittyActive;

/** Names of keys, and functions that add modifiers. */
export const Key = Object.assign(Object.fromEntries(SPECIAL.map((name) => [name, name])), SYMBOLS);
for (const names of ["ctrl", "shift", "alt", "super", "ctrl+shift", "shift+ctrl", "ctrl+alt", "alt+ctrl", "shift+alt", "alt+shift",
  "ctrl+super", "super+ctrl", "shift+super", "super+shift", "alt+super", "super+alt", "ctrl+shift+alt", "ctrl+shift+super"]) {
  const name = names.replace(/\+(.)/g, (_, first) => first.toUpperCase());
  Key[name] = (key) => `${names}+${key}`;
}

const key = (name, modifiers = 0) => ({ name, modifiers });

// The modifiers of a parameter; undefined for those that have no name here.
const modifiersOf = (parameter) => {
  const bits = (Number(parameter || 1) - 1) & ~LOCKS;
  return bits > 15 || bits < 0 ? undefined : bits;
};

const nameOfCode = (code, base) => {
  const known = KITTY[code] ?? keypadCharacter(code);
  if (known) return known;
  const char = code < 0x110000 ? String.fromCodePoint(code).toLowerCase() : "";
  if (/^[a-z0-9]$/.test(char) || SYMBOL_SET.has(char)) return char;
  // Another alphabet: the key's place on a Latin keyboard counts.
  return base ? nameOfCode(base) : undefined;
};

const CSI_U = /^\x1b\[(\d+)(?::(\d*))?(?::(\d+))?(?:;(\d*)(?::(\d+))?)?(?:;[\d:]*)?u$/;
const OTHER_KEYS = /^\x1b\[27;(\d+);(\d+)~$/;
const WITH_MODIFIER = /^\x1b\[1;(\d+)(?::\d+)?([A-FHPQRS])$/;
const NUMBERED = /^\x1b\[(\d+)(?:;(\d+)(?::\d+)?)?([~^$])$/;

const coded = (code, base, parameter) => {
  const modifiers = modifiersOf(parameter);
  const name = nameOfCode(Number(code), base && Number(base));
  return modifiers === undefined || !name ? [] : [key(name, modifiers)];
};

const fromSequence = (data) => {
  let parts = CSI_U.exec(data);
  if (parts) return coded(parts[1], parts[3], parts[4]);
  parts = OTHER_KEYS.exec(data);
  if (parts) return coded(parts[2], undefined, parts[1]);
  parts = WITH_MODIFIER.exec(data);
  if (parts) {
    const modifiers = modifiersOf(parts[1]);
    return modifiers === undefined ? [] : [key(LETTERS[parts[2]], modifiers)];
  }
  parts = NUMBERED.exec(data);
  if (parts) {
    const modifiers = parts[3] === "^" ? CTRL : parts[3] === "$" ? SHIFT : modifiersOf(parts[2]);
    const name = NUMBERS[parts[1]];
    return name && modifiers !== undefined ? [key(name, modifiers)] : [];
  }
  return fromShortSequence(data);
};

// Escape before a sequence is Alt, as rxvt and PuTTY send it.
const fromSequenceWithAlt = (data) =>
  data[1] === "\x1b" ? fromSequence(data.slice(1)).map(({ name, modifiers }) => key(name, modifiers | ALT)) : fromSequence(data);

const fromShortSequence = (data) => {
  if (data === "\x1b[Z") return [key("tab", SHIFT)];
  if (data === "\x1bOM") return [key("enter")];
  const shifted = /^\x1bO(\d+)([A-FHPQRS])$/.exec(data);
  if (shifted) return modifiersOf(shifted[1]) === undefined ? [] : [key(LETTERS[shifted[2]], modifiersOf(shifted[1]))];
  const console = /^\x1b\[\[([A-E])$/.exec(data);
  if (console) return [key(`f${console[1].charCodeAt(0) - 64}`)];
  if (/^\x1b\[\[[56]~$/.test(data)) return [key(NUMBERS[data[3]])];
  const parts = /^\x1b([[O])([A-Za-e])$/.exec(data);
  if (!parts) return [];
  const [, kind, letter] = parts;
  if (RXVT[letter]) return [key(RXVT[letter], kind === "[" ? SHIFT : CTRL)];
  return LETTERS[letter] ? [key(LETTERS[letter])] : [];
};

// Control characters that have no key of their own.
const fromControl = (code, modifiers) => {
  if (code === 0) return [key("space", modifiers)];
  if (code <= 26) return [key(String.fromCharCode(code + 96), modifiers)];
  if (code === 0x1c) return [key("\\", modifiers)];
  if (code === 0x1d) return [key("]", modifiers)];
  return code === 0x1f ? [key("-", modifiers), key("_", modifiers)] : [];
};

// What a byte means; with all readings, the best one first.
const fromByte = (data) => {
  const code = data.charCodeAt(0);
  if (data === "\r") return [key("enter")];
  if (data === "\n") return isKittyActive ? [key("enter", SHIFT)] : [key("enter"), key("j", CTRL)];
  if (data === "\t") return [key("tab")];
  if (data === " ") return [key("space")];
  if (data === "\x1b") return [key("escape"), key("[", CTRL)];
  if (data === "\x7f" || data === "\b") return [key("backspace")];
  if (code < 0x20) return fromControl(code, CTRL);
  if (data >= "A" && data <= "Z") return [key(data.toLowerCase(), SHIFT)];
  return (data >= "a" && data <= "z") || (data >= "0" && data <= "9") || SYMBOL_SET.has(data) ? [key(data)] : [];
};

// Escape and a byte: Alt, unless the terminal says such things in Kitty's way.
const ALT_WORDS = { b: "left", f: "right", p: "up", n: "down" };
const fromAltByte = (byte) => {
  if (byte === "\r") return [isKittyActive ? key("enter", SHIFT) : key("enter", ALT)];
  if (byte === "\x7f" || byte === "\b") return [key("backspace", ALT)];
  if (byte === "\x1b") return [key("[", CTRL | ALT)];
  const moved = ALT_WORDS[byte] ? [key(ALT_WORDS[byte], ALT)] : [];
  if (isKittyActive) return moved;
  if (byte === " ") return [key("space", ALT)];
  if (byte < " " && byte > "\0") return fromControl(byte.charCodeAt(0), CTRL | ALT);
  return /[a-z0-9]/.test(byte) || SYMBOL_SET.has(byte) ? [...moved, key(byte, ALT)] : [];
};

const readings = (data) => {
  if (data.length === 1) return fromByte(data);
  if (data.length === 2 && data[0] === "\x1b") return fromAltByte(data[1]);
  return data[0] === "\x1b" ? fromSequenceWithAlt(data) : [];
};

/** Whether the input is this key, such as `ctrl+c`. */
export function matchesKey(data, keyId) {
  const wanted = readId(keyId);
  return readings(data).some(({ name, modifiers }) => name === wanted.name && modifiers === wanted.modifiers);
}

const ids = new Map();
const readId = (id) => {
  let known = ids.get(id);
  if (!known) ids.set(id, (known = parseId(String(id))));
  return known;
};
const parseId = (id) => {
  let rest = id.toLowerCase();
  let modifiers = 0;
  for (let parts; (parts = /^(ctrl|shift|alt|super)\+(.+)$/s.exec(rest)); rest = parts[2]) modifiers |= MODIFIERS[parts[1]];
  return key(SYNONYMS[rest] ?? rest, modifiers);
};

/** The name of a key, or undefined. */
export function parseKey(data) {
  if (data.length === 1 && data >= "A" && data <= "Z") return data;
  const [best] = readings(data);
  if (!best) return undefined;
  const prefix = NAMED.filter(([, bit]) => best.modifiers & bit).map(([name]) => `${name}+`);
  return prefix.join("") + best.name;
}

const isEvent = (data, event) =>
  !data.includes("\x1b[200~") && new RegExp(`^\\x1b\\[[\\d:;]*:${event}[u~A-FHPQRS]$`).test(data);
export const isKeyRelease = (data) => isEvent(data, 3);
export const isKeyRepeat = (data) => isEvent(data, 2);

// Terminals that do not say what Shift makes of a letter mean the capital.
const capital = (code) => {
  const upper = code < 0x110000 ? String.fromCodePoint(code).toUpperCase() : "";
  return [...upper].length === 1 ? upper.codePointAt(0) : code;
};

/** The character that a sequence of Kitty's protocol types, or undefined. */
export function decodeKittyPrintable(data) {
  const parts = CSI_U.exec(data);
  if (!parts || parts[5] === "3") return undefined;
  const modifiers = modifiersOf(parts[4]);
  if (modifiers === undefined || modifiers & ~SHIFT) return undefined;
  const code = modifiers & SHIFT ? Number(parts[2] || capital(Number(parts[1]))) : Number(parts[1]);
  const keypad = keypadCharacter(code);
  if (keypad) return keypad;
  const isCharacter = code >= 32 && code !== 127 && code < 0x110000 && !(code >= FUNCTIONAL_FROM && code <= FUNCTIONAL_TO);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

/** What a key types: a character, a text that was sent at once, or undefined for anything else. */
export function typedText(data) {
  const decoded = decodeKittyPrintable(data);
  if (decoded !== undefined) return decoded;
  const other = OTHER_KEYS.exec(data);
  if (other && !((modifiersOf(other[1]) ?? ALT) & ~SHIFT) && Number(other[2]) >= 32 && Number(other[2]) !== 127) {
    return String.fromCodePoint(Number(other[2]));
  }
  return data && !/[\x00-\x1f\x7f\x80-\x9f]/.test(data) ? data : undefined;
}
