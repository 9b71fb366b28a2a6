// The theme, for what extensions draw.
import { host } from "script:host";

let current;

export function theme() {
  current ??= new Theme(host.sync("ui.theme"));
  return current;
}

export class Theme {
  constructor({ name, mode, fg, bg }) {
    this.name = name;
    Object.defineProperties(this, { colours: { value: { fg, bg } }, colourMode: { value: mode } });
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
