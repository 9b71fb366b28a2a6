// The theme, for what extensions draw.
import { host } from "script:host";

let current;
let isOfScreen = false;

// The theme in force: one object, whose colours change with it.
export function theme() {
  if (!current) refreshTheme();
  return current;
}

// Reads the theme, unless that was done since there is a screen.
export function refreshTheme(isChanged = false) {
  if (isOfScreen && !isChanged) return;
  const said = host.sync("ui.theme");
  isOfScreen = said.isOfScreen;
  if (current) adopt(current, said);
  else current = new Theme(said);
}

function adopt(kept, { name, mode, fg, bg }) {
  kept.name = name;
  Object.defineProperties(kept, {
    colours: { value: { fg, bg }, configurable: true },
    colourMode: { value: mode, configurable: true },
  });
}

export class Theme {
  constructor(said) {
    adopt(this, said);
  }
  fg(colour, text) {
    return `${this.getFgAnsi(colour)}${text}\x1b[39m`;
  }
  bg(colour, text) {
    return `${this.getBgAnsi(colour)}${text}\x1b[49m`;
  }
  bold(text) {
    return `\x1b[1m${text}\x1b[22m`;
  }
  italic(text) {
    return `\x1b[3m${text}\x1b[23m`;
  }
  underline(text) {
    return `\x1b[4m${text}\x1b[24m`;
  }
  inverse(text) {
    return `\x1b[7m${text}\x1b[27m`;
  }
  strikethrough(text) {
    return `\x1b[9m${text}\x1b[29m`;
  }
  getFgAnsi(colour) {
    return known(this.colours.fg, colour, "Unknown theme color");
  }
  getBgAnsi(colour) {
    return known(this.colours.bg, colour, "Unknown theme background color");
  }
  getColorMode() {
    return this.colourMode;
  }
  getThinkingBorderColor(level) {
    const name = `thinking${level[0].toUpperCase()}${level.slice(1)}`;
    return (text) => this.fg(name in this.colours.fg ? name : "thinkingOff", text);
  }
  getBashModeBorderColor() {
    return (text) => this.fg("bashMode", text);
  }
}

function known(colours, name, complaint) {
  const escape = colours[name];
  if (escape === undefined) throw new Error(`${complaint}: ${name}`);
  return escape;
}
