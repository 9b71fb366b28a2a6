// Lists to choose from: one of many items, or settings with their values.
import { widest } from "pi:tui/basic";
import { fuzzyFilter } from "pi:tui/fuzzy";
import { Input } from "pi:tui/input";
import { isBound } from "pi:tui/keybindings";
import { truncateToWidth, visibleWidth } from "pi:tui/width";
import { wrapTextWithAnsi } from "pi:tui/wrap";

const PRIMARY_WIDTH = 32;
const GAP = 2;
// Narrower than this, descriptions are not worth their place.
const WIDTH_FOR_DESCRIPTIONS = 40;
const MIN_DESCRIPTION_WIDTH = 10;

// Which items are seen when `selected` is to be in the middle.
const windowOf = (count, selected, visible) => {
  const start = Math.max(0, Math.min(selected - Math.floor(visible / 2), count - visible));
  return { start, end: Math.min(start + visible, count) };
};
const moved = (selected, by, count) => (selected + by + count) % count;

export class SelectList {
  constructor(items, maxVisible, theme, layout = {}) {
    this.items = items;
    this.filteredItems = items;
    this.maxVisible = maxVisible;
    this.theme = theme;
    this.layout = layout;
    this.selectedIndex = 0;
  }

  setFilter(filter) {
    const wanted = filter.toLowerCase();
    this.filteredItems = this.items.filter((item) => item.value.toLowerCase().startsWith(wanted));
    this.selectedIndex = 0;
  }

  setSelectedIndex(index) {
    this.selectedIndex = Math.max(0, Math.min(index, this.filteredItems.length - 1));
  }

  getSelectedItem() {
    return this.filteredItems[this.selectedIndex] ?? null;
  }

  invalidate() {}

  handleInput(data) {
    const count = this.filteredItems.length;
    const by = isBound(data, "tui.select.up") ? -1 : isBound(data, "tui.select.down") ? 1 : 0;
    if (by !== 0 && count > 0) {
      this.selectedIndex = moved(this.selectedIndex, by, count);
      this.onSelectionChange?.(this.getSelectedItem());
    } else if (isBound(data, "tui.select.confirm")) {
      const item = this.getSelectedItem();
      if (item) this.onSelect?.(item);
    } else if (isBound(data, "tui.select.cancel")) this.onCancel?.();
  }

  render(width) {
    const count = this.filteredItems.length;
    if (count === 0) return [this.theme.noMatch("  No matching commands")];
    const { start, end } = windowOf(count, this.selectedIndex, this.maxVisible);
    const column = this.#columnWidth();
    const lines = [];
    for (let i = start; i < end; i++) lines.push(this.#row(this.filteredItems[i], i === this.selectedIndex, width, column));
    if (start > 0 || end < count) {
      lines.push(this.theme.scrollInfo(truncateToWidth(`  (${this.selectedIndex + 1}/${count})`, width - 2, "")));
    }
    return lines;
  }

  #columnWidth() {
    const { minPrimaryColumnWidth: min, maxPrimaryColumnWidth: max } = this.layout;
    const least = Math.max(1, min ?? max ?? PRIMARY_WIDTH);
    const most = Math.max(1, max ?? min ?? PRIMARY_WIDTH);
    const wanted = widest(this.filteredItems.map(nameOf)) + GAP;
    return Math.max(Math.min(least, most), Math.min(wanted, Math.max(least, most)));
  }

  #row(item, isSelected, width, column) {
    const prefix = isSelected ? "→ " : "  ";
    const description = item.description?.replace(/[\r\n]+/g, " ").trim();
    const columnWidth = Math.max(1, Math.min(column, width - prefix.length - 4));
    const rest = width - prefix.length - columnWidth - 2;
    if (description && width > WIDTH_FOR_DESCRIPTIONS && rest > MIN_DESCRIPTION_WIDTH) {
      const name = this.#name(item, isSelected, Math.max(1, columnWidth - GAP), columnWidth);
      const space = " ".repeat(Math.max(1, columnWidth - visibleWidth(name)));
      const text = truncateToWidth(description, rest, "");
      if (isSelected) return this.theme.selectedText(prefix + name + space + text);
      return prefix + name + this.theme.description(space + text);
    }
    const maxWidth = width - prefix.length - 2;
    const line = prefix + this.#name(item, isSelected, maxWidth, maxWidth);
    return isSelected ? this.theme.selectedText(line) : line;
  }

  #name(item, isSelected, maxWidth, columnWidth) {
    const text = nameOf(item);
    const shorten = this.layout.truncatePrimary;
    const short = shorten ? shorten({ text, maxWidth, columnWidth, item, isSelected }) : text;
    return truncateToWidth(short, maxWidth, "");
  }
}
const nameOf = (item) => item.label || item.value;

const MAX_LABEL_WIDTH = 30;

export class SettingsList {
  constructor(items, maxVisible, theme, onChange, onCancel, options = {}) {
    this.items = items;
    this.filteredItems = items;
    this.maxVisible = maxVisible;
    this.theme = theme;
    this.onChange = onChange;
    this.onCancel = onCancel;
    this.selectedIndex = 0;
    this.searchInput = options.enableSearch ? new Input() : undefined;
  }

  updateValue(id, newValue) {
    const item = this.items.find((known) => known.id === id);
    if (item) item.currentValue = newValue;
  }

  invalidate() {
    this.submenu?.invalidate?.();
  }

  handleInput(data) {
    if (this.submenu) return this.submenu.handleInput?.(data);
    const count = this.filteredItems.length;
    const by = isBound(data, "tui.select.up") ? -1 : isBound(data, "tui.select.down") ? 1 : 0;
    if (by !== 0) {
      if (count > 0) this.selectedIndex = moved(this.selectedIndex, by, count);
    } else if (isBound(data, "tui.select.confirm") || data === " ") this.#activate();
    else if (isBound(data, "tui.select.cancel")) this.onCancel();
    else if (this.searchInput) this.#search(data);
  }

  #activate() {
    const item = this.filteredItems[this.selectedIndex];
    if (!item) return;
    if (item.submenu) {
      this.submenu = item.submenu(item.currentValue, (value) => {
        this.submenu = undefined;
        if (value !== undefined) this.#change(item, value);
      });
    } else if (item.values?.length > 0) {
      this.#change(item, item.values[(item.values.indexOf(item.currentValue) + 1) % item.values.length]);
    }
  }

  #change(item, value) {
    item.currentValue = value;
    this.onChange(item.id, value);
  }

  #search(data) {
    const query = data.replaceAll(" ", "");
    if (!query) return;
    this.searchInput.handleInput(query);
    this.filteredItems = fuzzyFilter(this.items, this.searchInput.getValue(), (item) => item.label);
    this.selectedIndex = 0;
  }

  render(width) {
    if (this.submenu) return this.submenu.render(width);
    const search = this.searchInput ? [...this.searchInput.render(width), ""] : [];
    if (this.items.length === 0) return [...search, this.theme.hint("  No settings available"), ...this.#hint(width, this.searchInput)];
    if (this.filteredItems.length === 0) {
      const none = truncateToWidth(this.theme.hint("  No matching settings"), width);
      return [...search, none, ...this.#hint(width, true)];
    }
    return [...search, ...this.#rows(width), ...this.#description(width), ...this.#hint(width, true)];
  }

  #rows(width) {
    const count = this.filteredItems.length;
    const { start, end } = windowOf(count, this.selectedIndex, this.maxVisible);
    const column = Math.min(MAX_LABEL_WIDTH, widest(this.items.map((item) => item.label)));
    const lines = [];
    for (let i = start; i < end; i++) {
      const isSelected = i === this.selectedIndex;
      const { label, currentValue } = this.filteredItems[i];
      const prefix = isSelected ? this.theme.cursor : "  ";
      const name = label + " ".repeat(Math.max(0, column - visibleWidth(label)));
      const space = width - visibleWidth(prefix) - column - 2 * GAP;
      const value = this.theme.value(truncateToWidth(currentValue, space, ""), isSelected);
      lines.push(truncateToWidth(prefix + this.theme.label(name, isSelected) + "  " + value, width));
    }
    if (start > 0 || end < count) {
      lines.push(this.theme.hint(truncateToWidth(`  (${this.selectedIndex + 1}/${count})`, width - 2, "")));
    }
    return lines;
  }

  #description(width) {
    const text = this.filteredItems[this.selectedIndex]?.description;
    if (!text) return [];
    return ["", ...wrapTextWithAnsi(text, width - 4).map((line) => this.theme.description(`  ${line}`))];
  }

  #hint(width, isShown) {
    if (!isShown) return [];
    const text = `  ${this.searchInput ? "Type to search · " : ""}Enter/Space to change · Esc to cancel`;
    return ["", truncateToWidth(this.theme.hint(text), width)];
  }
}
