// Terminal components: what extensions import as `pi-tui`.
export { CombinedAutocompleteProvider } from "pi:tui/autocomplete";
export { Box, CURSOR_MARKER, CancellableLoader, Container, Loader, Spacer, Text, TruncatedText, isFocusable } from "pi:tui/basic";
export { Editor } from "pi:tui/editor";
export { fuzzyFilter, fuzzyMatch } from "pi:tui/fuzzy";
export {
  Image, allocateImageId, calculateImageRows, deleteAllKittyImages, deleteKittyImage, detectCapabilities, encodeITerm2, encodeKitty,
  getCapabilities, getCellDimensions, getGifDimensions, getImageDimensions, getJpegDimensions, getPngDimensions, getWebpDimensions,
  hyperlink, imageFallback, renderImage, resetCapabilitiesCache, setCapabilities, setCellDimensions,
} from "pi:tui/image";
export { Input } from "pi:tui/input";
export { KeybindingsManager, TUI_KEYBINDINGS, getKeybindings, setKeybindings } from "pi:tui/keybindings";
export {
  Key, decodeKittyPrintable, isKeyRelease, isKeyRepeat, isKittyProtocolActive, matchesKey, parseKey, setKittyProtocolActive,
} from "pi:tui/keys";
export { SelectList, SettingsList } from "pi:tui/lists";
export { Markdown } from "pi:tui/markdown";
export { TUI } from "pi:tui/screen";
export { ProcessTerminal, StdinBuffer, parseOsc11BackgroundColor, parseTerminalColorSchemeReport } from "pi:tui/terminal";
export { sliceByColumn, truncateToWidth, visibleWidth } from "pi:tui/width";
export { wrapTextWithAnsi } from "pi:tui/wrap";
