// The root of what is on the screen. It draws nothing itself: it keeps components, focus and overlays, and tells the program
// through the terminal object that there is something new to draw.
import { Container, isFocusable } from "pi:tui/basic";
import { isKeyRelease } from "pi:tui/keys";

const later = (work) => Promise.resolve().then(work);

export class TUI extends Container {
  #focused = null;
  #overlays = [];
  #listeners = new Set();
  #isRequested = false;
  #showsCursor;
  #clearsOnShrink = true;

  constructor(terminal, showHardwareCursor = false) {
    super();
    this.terminal = terminal;
    this.#showsCursor = showHardwareCursor;
  }

  get fullRedraws() {
    return 0;
  }

  getShowHardwareCursor() {
    return this.#showsCursor;
  }

  setShowHardwareCursor(enabled) {
    this.#showsCursor = enabled;
  }

  getClearOnShrink() {
    return this.#clearsOnShrink;
  }

  setClearOnShrink(enabled) {
    this.#clearsOnShrink = enabled;
  }

  // --- rendering

  invalidate() {
    super.invalidate();
    for (const { component } of this.#overlays) component.invalidate?.();
  }

  /** Asks for a new picture; requests of one turn are one. */
  requestRender(force = false) {
    if (force) this.invalidate();
    if (this.#isRequested) return;
    this.#isRequested = true;
    later(() => {
      this.#isRequested = false;
      this.terminal?.requestRender?.(this);
    });
  }

  start() {
    this.terminal?.start?.((data) => this.handleInput(data), () => this.requestRender());
    this.requestRender();
  }

  stop() {
    this.terminal?.stop?.();
  }

  // --- input

  addInputListener(listener) {
    this.#listeners.add(listener);
    return () => this.removeInputListener(listener);
  }

  removeInputListener(listener) {
    this.#listeners.delete(listener);
  }

  /** Gives input to the listeners and then to the component that has the focus. */
  handleInput(data) {
    for (const listener of this.#listeners) {
      const result = listener(data);
      if (result?.consume) return;
      data = result?.data ?? data;
    }
    if (!data) return;
    const component = this.#focused;
    if (!component?.handleInput || (isKeyRelease(data) && !component.wantsKeyRelease)) return;
    component.handleInput(data);
    this.requestRender();
  }

  setFocus(component) {
    if (isFocusable(this.#focused)) this.#focused.focused = false;
    this.#focused = component;
    if (isFocusable(component)) component.focused = true;
    this.requestRender();
  }

  // --- overlays

  /** What lies over the rest, from the lowest to the highest: `{component, options}`. */
  get overlays() {
    return this.#overlays.filter((overlay) => this.#isVisible(overlay)).map(({ component, options }) => ({ component, options }));
  }

  #isVisible({ isHidden, options }) {
    return !isHidden && (options.visible?.(this.terminal?.columns ?? 80, this.terminal?.rows ?? 24) ?? true);
  }

  hasOverlay() {
    return this.overlays.length > 0;
  }

  showOverlay(component, options = {}) {
    const overlay = { component, options, isHidden: false, before: this.#focused };
    this.#overlays.push(overlay);
    if (!options.nonCapturing && this.#isVisible(overlay)) this.setFocus(component);
    this.requestRender();
    return {
      hide: () => this.#remove(overlay),
      setHidden: (isHidden) => this.#setHidden(overlay, isHidden),
      isHidden: () => overlay.isHidden,
      focus: () => this.#raise(overlay),
      unfocus: (choice) => this.#leave(overlay, choice),
      isFocused: () => this.#focused === component,
    };
  }

  hideOverlay() {
    const top = this.#overlays.at(-1);
    if (top) this.#remove(top);
  }

  #remove(overlay) {
    const at = this.#overlays.indexOf(overlay);
    if (at < 0) return;
    this.#overlays.splice(at, 1);
    // Whoever would have given the focus back to this one gives it to the one below.
    for (const other of this.#overlays) if (other.before === overlay.component) other.before = overlay.before;
    this.#leave(overlay);
  }

  #setHidden(overlay, isHidden) {
    if (overlay.isHidden === isHidden) return;
    overlay.isHidden = isHidden;
    if (isHidden) this.#leave(overlay);
    else if (!overlay.options.nonCapturing) this.setFocus(overlay.component);
    this.requestRender();
  }

  #raise(overlay) {
    const at = this.#overlays.indexOf(overlay);
    if (at < 0 || !this.#isVisible(overlay)) return;
    this.#overlays.push(...this.#overlays.splice(at, 1));
    if (this.#focused !== overlay.component) overlay.before = this.#focused;
    this.setFocus(overlay.component);
  }

  #leave(overlay, choice) {
    if (choice) this.setFocus(choice.target);
    else if (this.#focused === overlay.component) {
      const next = this.#overlays.findLast((other) => other !== overlay && !other.options.nonCapturing && this.#isVisible(other));
      this.setFocus(next?.component ?? overlay.before);
    }
    this.requestRender();
  }

  // --- what only a terminal of its own could say

  onTerminalColorSchemeChange() {
    return () => {};
  }

  setTerminalColorSchemeNotifications() {}

  async queryTerminalBackgroundColor() {
    return undefined;
  }

  async queryTerminalColorScheme() {
    return undefined;
  }
}
