// What a script puts in places of the screen: widgets, header, footer, the editor. One of each per session; what comes later
// takes its place.
import { editorTheme, wired } from "pi:bridge/editor";
import { Shown, footerData, hasScreen, keybindings } from "pi:bridge/screen";
import { theme } from "pi:bridge/theme";

import { host } from "script:host";

// By session and place.
const places = new Map();

const nameOf = (number, { kind, key }) => `${number} ${kind} ${key ?? ""}`;

// Takes away what this script put there.
function clear(number, place) {
  const name = nameOf(number, place);
  const before = places.get(name);
  if (!before) return;
  places.delete(name);
  host.sync("ui.put", number, place);
  before.close();
}

// `make` gets the root and returns the component and how it is mounted.
function put(number, place, make) {
  if (!hasScreen(number)) return;
  const shown = new Shown(number);
  const { component, ...how } = make(shown);
  const before = places.get(nameOf(number, place));
  places.set(nameOf(number, place), shown);
  shown.mount(component, how);
  shown.put(place);
  before?.close();
}

export function setWidget(number, key, content, options) {
  const place = { kind: "widget", key: String(key), placement: options?.placement };
  if (typeof content === "function") put(number, place, ({ tui }) => ({ component: content(tui, theme()) }));
  else {
    clear(number, place);
    host.sync("ui.setWidget", number, key, content, options?.placement);
  }
}

export function setHeader(number, factory) {
  if (factory) put(number, { kind: "header" }, ({ tui }) => ({ component: factory(tui, theme()) }));
  else clear(number, { kind: "header" });
}

export function setFooter(number, factory) {
  if (!factory) return clear(number, { kind: "footer" });
  const { data, notify } = footerData(number);
  put(number, { kind: "footer" }, ({ tui }) => ({ component: factory(tui, theme(), data), beforeDrawing: notify }));
}

// The factory of the editor, by session.
const editors = new Map();
export const editorOf = (number) => editors.get(number);

export function setEditor(number, factory) {
  if (!hasScreen(number)) return;
  if (!factory) {
    editors.delete(number);
    return clear(number, { kind: "editor" });
  }
  editors.set(number, factory);
  put(number, { kind: "editor" }, (shown) => wired(number, shown, factory(shown.tui, editorTheme(), keybindings(number))));
}
