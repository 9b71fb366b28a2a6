// Components on the screen. Each has a root of its own (`tui`); the program asks for its rows when it needs them, and gives it
// what is typed.
import { own } from "pi:bridge/callbacks";
import { refreshTheme, theme } from "pi:bridge/theme";

import { host } from "script:host";

const modules = () => host.importNow("pi:tui/main");

export const hasScreen = (number) => host.sync("ui.hasScreen", number);

// The keys in force. They are read again with every session.
let keysOf;
export function keybindings(number) {
  const { KeybindingsManager, setKeybindings, getKeybindings } = modules();
  if (keysOf !== number) {
    const definitions = host.sync("ui.keys", number).map(({ action, keys, description }) => [action, { defaultKeys: keys, description }]);
    setKeybindings(new KeybindingsManager(Object.fromEntries(definitions)));
    keysOf = number;
  }
  return getKeybindings();
}

const rowsOf = (component, width) => (component.render(width) ?? []).flatMap((line) => String(line ?? "").split("\n"));

// Where a component lies that is drawn over the rest, as the program reads it.
function laid(options, component) {
  const { width, minWidth, maxHeight, anchor, row, col, offsetX, offsetY, margin, nonCapturing } = options;
  return { width: width ?? component?.width, minWidth, maxHeight, anchor, row, col, offsetX, offsetY, margin, nonCapturing };
}

// A place for a component. It is nowhere on the screen before `put` or `show`.
export class Shown {
  #number;
  #id;
  #component;
  #options = {};
  #isClosed = false;

  constructor(number) {
    this.#number = number;
    refreshTheme();
    keybindings(number);
    const { columns, rows } = host.sync("ui.size", number);
    // Components ask the terminal for its size, and the root tells it that there is something new.
    const requestRender = () => this.redraw();
    this.terminal = { columns, rows, kittyProtocolActive: false, requestRender, write() {}, hideCursor() {}, showCursor() {}, setTitle() {} };
    this.tui = new (rootClass())(this.terminal);
    this.tui.number = number;
  }

  // `beforeDrawing` is called in front of every drawing.
  mount(component, { beforeDrawing, setText, onClosed } = {}) {
    this.#component = component;
    this.tui.addChild(component);
    this.tui.setFocus(component);
    const draw = (width, columns, rows) => {
      Object.assign(this.terminal, { columns, rows });
      if (this.#options.visible && !this.#options.visible(columns, rows)) return null;
      beforeDrawing?.();
      return rowsOf(component, width);
    };
    const invalidate = () => {
      refreshTheme(true);
      this.tui.invalidate();
    };
    const closed = () => {
      this.close();
      onClosed?.();
    };
    const input = (data) => this.tui.handleInput(data);
    const calls = [draw, input, setText ?? (() => {}), invalidate, closed].map((call) => own(this.#number, call));
    this.#id = host.sync("ui.view", this.#number, ...calls);
  }

  get id() {
    return this.#id;
  }

  put(place) {
    host.sync("ui.put", this.#number, place, this.#id);
  }

  // In the editor's place, or with options over everything.
  show(options) {
    this.#options = options ?? {};
    host.async("ui.show", this.#number, this.#id, options && laid(options, this.#component)).catch(() => {});
  }

  redraw() {
    if (this.#id !== undefined && !this.#isClosed) host.sync("ui.redraw", this.#number, this.#id);
  }

  change(what) {
    if (!this.#isClosed) host.sync("ui.changeOverlay", this.#number, this.#id, what);
  }

  get isClosed() {
    return this.#isClosed;
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#id !== undefined) host.sync("ui.closeView", this.#id);
    this.#component?.dispose?.();
  }
}

// What a script can do with an overlay.
function handleOf(shown, options) {
  let isHidden = false;
  let isFocused = !options.nonCapturing;
  const change = (what) => shown.change(what);
  return {
    hide: () => shown.close(),
    setHidden(hidden) {
      if (hidden === isHidden) return;
      isHidden = hidden;
      isFocused = !hidden && !options.nonCapturing;
      change(hidden ? "hide" : "show");
    },
    isHidden: () => isHidden,
    focus() {
      isFocused = true;
      change("focus");
    },
    unfocus() {
      isFocused = false;
      change("unfocus");
    },
    isFocused: () => isFocused && !isHidden && !shown.isClosed,
  };
}

// The root whose overlays are the program's.
let Root;
function rootClass() {
  Root ??= class extends modules().TUI {
    #shown = [];

    showOverlay(component, options = {}) {
      const shown = new Shown(this.number);
      shown.mount(component);
      shown.show(options);
      this.#open().push(shown);
      return handleOf(shown, options);
    }

    hideOverlay() {
      this.#open().pop()?.close();
    }

    hasOverlay() {
      return this.#open().length > 0;
    }

    // Those that no script has closed; the others are forgotten.
    #open() {
      this.#shown = this.#shown.filter((shown) => !shown.isClosed);
      return this.#shown;
    }
  };
  return Root;
}

// `ctx.ui.custom`
export async function custom(number, factory, { overlay, overlayOptions, onHandle } = {}) {
  if (!hasScreen(number)) return undefined;
  const shown = new Shown(number);
  let finish;
  const finished = new Promise((resolve) => (finish = resolve));
  const done = (result) => {
    finish(result);
    shown.close();
  };
  const component = await factory(shown.tui, theme(), keybindings(number), done);
  if (!shown.isClosed) {
    shown.mount(component, { onClosed: done });
    const options = overlay ? ((typeof overlayOptions === "function" ? overlayOptions() : overlayOptions) ?? {}) : undefined;
    shown.show(options);
    if (options) onHandle?.(handleOf(shown, options));
  }
  return finished;
}

// What a footer is told.
export function footerData(number) {
  const facts = () => host.sync("ui.footerFacts", number);
  const listeners = new Set();
  let last;
  return {
    data: {
      getGitBranch: () => facts().branch ?? null,
      getExtensionStatuses: () => new Map(facts().statuses),
      getAvailableProviderCount: () => facts().providers,
      onBranchChange(listener) {
        last ??= facts();
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    // Calls the listeners of what has changed since they were called last.
    notify() {
      if (listeners.size === 0) return;
      const now = facts();
      const hasChanged = now.branch !== last.branch;
      last = now;
      if (hasChanged) for (const listener of [...listeners]) listener();
    },
  };
}
