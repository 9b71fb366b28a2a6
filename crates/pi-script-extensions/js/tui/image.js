// Pictures in terminals, and links: what a terminal can do, the sequences for it, sizes.
import { typeOf, sizeOf } from "pi:tui/image_size";

const CELL = { widthPx: 9, heightPx: 18 };
const KITTY_CHUNK = 4096;
const UNKNOWN_SIZE = { widthPx: 800, heightPx: 600 };

let cell = { ...CELL };
export const getCellDimensions = () => cell;
export const setCellDimensions = (dimensions) => void (cell = dimensions);

let capabilities;
export const setCapabilities = (value) => void (capabilities = value);
export const resetCapabilitiesCache = () => void (capabilities = undefined);
export const getCapabilities = () => (capabilities ??= detectCapabilities());

/** What the environment says about the terminal. */
export function detectCapabilities(tmuxForwardsHyperlink = () => false) {
  const env = globalThis.process?.env ?? {};
  const term = (env.TERM ?? "").toLowerCase();
  const program = (env.TERM_PROGRAM ?? "").toLowerCase();
  const trueColor = /^(truecolor|24bit)$/.test((env.COLORTERM ?? "").toLowerCase());
  if (env.TMUX || /^(tmux|screen)/.test(term)) return { images: null, trueColor, hyperlinks: Boolean(env.TMUX) && tmuxForwardsHyperlink() };
  if (env.KITTY_WINDOW_ID || env.GHOSTTY_RESOURCES_DIR || env.WEZTERM_PANE || /^(kitty|ghostty|wezterm)$/.test(program)) {
    return { images: "kitty", trueColor: true, hyperlinks: true };
  }
  if (env.ITERM_SESSION_ID || program === "iterm.app") return { images: "iterm2", trueColor: true, hyperlinks: true };
  const isKnown = program === "vscode" || program === "alacritty";
  return { images: null, trueColor: trueColor || isKnown, hyperlinks: isKnown };
}

/** `text` as a link. */
export const hyperlink = (text, url) => `\x1b]8;;${url}\x1b\\${text}\x1b]8;;\x1b\\`;

export const allocateImageId = () => 1 + Math.floor(Math.random() * 0xfffffffe);

export function encodeKitty(base64Data, { columns, rows, imageId, moveCursor = true } = {}) {
  const parameters = ["a=T", "f=100", "q=2"];
  if (!moveCursor) parameters.push("C=1");
  if (columns) parameters.push(`c=${columns}`);
  if (rows) parameters.push(`r=${rows}`);
  if (imageId) parameters.push(`i=${imageId}`);
  const chunks = base64Data.match(new RegExp(`.{1,${KITTY_CHUNK}}`, "gs")) ?? [""];
  return chunks
    .map((chunk, i) => {
      const isLast = i === chunks.length - 1;
      const more = chunks.length === 1 ? [] : [`m=${isLast ? 0 : 1}`];
      return `\x1b_G${[...(i === 0 ? parameters : []), ...more].join(",")};${chunk}\x1b\\`;
    })
    .join("");
}

export const deleteKittyImage = (imageId) => `\x1b_Ga=d,d=I,i=${imageId},q=2\x1b\\`;
export const deleteAllKittyImages = () => "\x1b_Ga=d,d=A,q=2\x1b\\";

export function encodeITerm2(base64Data, { width, height, name, preserveAspectRatio = true, inline = true } = {}) {
  const parameters = [`inline=${inline ? 1 : 0}`];
  if (width !== undefined) parameters.push(`width=${width}`);
  if (height !== undefined) parameters.push(`height=${height}`);
  if (name) parameters.push(`name=${btoa(unescape(encodeURIComponent(name)))}`);
  if (!preserveAspectRatio) parameters.push("preserveAspectRatio=0");
  return `\x1b]1337;File=${parameters.join(";")}:${base64Data}\x07`;
}

/** Rows that a picture takes at this width. */
export const calculateImageRows = ({ widthPx, heightPx }, targetWidthCells, dimensions = cell) =>
  Math.max(1, Math.ceil((heightPx * targetWidthCells * dimensions.widthPx) / widthPx / dimensions.heightPx));

const fit = (size, maxWidth, maxHeight) => {
  let columns = Math.max(1, maxWidth);
  let rows = calculateImageRows(size, columns);
  if (maxHeight && rows > maxHeight) {
    columns = Math.max(1, Math.floor((columns * maxHeight) / rows));
    rows = maxHeight;
  }
  return { columns, rows };
};

const ofType = (wanted) => (base64Data) => (typeOf(base64Data) === wanted ? sizeOf(base64Data) : null);
export const getPngDimensions = ofType("image/png");
export const getJpegDimensions = ofType("image/jpeg");
export const getGifDimensions = ofType("image/gif");
export const getWebpDimensions = ofType("image/webp");
export const getImageDimensions = (base64Data, mimeType) => ofType(mimeType)(base64Data);

/** The sequence that draws a picture and the rows it takes; null where the terminal draws none. */
export function renderImage(base64Data, imageDimensions, options = {}) {
  const { images } = getCapabilities();
  if (!images) return null;
  const { columns, rows } = fit(imageDimensions, options.maxWidthCells ?? 80, options.maxHeightCells);
  if (images === "kitty") {
    const { imageId, moveCursor } = options;
    return { sequence: encodeKitty(base64Data, { columns, rows, imageId, moveCursor }), rows, imageId };
  }
  const preserveAspectRatio = options.preserveAspectRatio ?? true;
  return { sequence: encodeITerm2(base64Data, { width: columns, height: "auto", preserveAspectRatio }), rows };
}

/** What stands for a picture in text. */
export function imageFallback(mimeType, dimensions, filename) {
  const size = dimensions ? `${dimensions.widthPx}x${dimensions.heightPx}` : "";
  return `[Image: ${[filename, `[${mimeType}]`, size].filter(Boolean).join(" ")}]`;
}

/** A picture, or what stands for it. */
export class Image {
  constructor(base64Data, mimeType, theme, options = {}, dimensions) {
    this.base64Data = base64Data;
    this.mimeType = mimeType;
    this.theme = theme;
    this.options = options;
    this.dimensions = dimensions ?? getImageDimensions(base64Data, mimeType) ?? UNKNOWN_SIZE;
    this.imageId = options.imageId;
  }

  getImageId() {
    return this.imageId;
  }

  invalidate() {}

  render(width) {
    if (getCapabilities().images === "kitty") this.imageId ??= allocateImageId();
    const maxWidthCells = Math.max(1, Math.min(width - 2, this.options.maxWidthCells ?? 60));
    const { maxHeightCells } = this.options;
    const drawn = renderImage(this.base64Data, this.dimensions, { maxWidthCells, maxHeightCells, imageId: this.imageId, moveCursor: false });
    if (!drawn) return [this.theme.fallbackColor(imageFallback(this.mimeType, this.dimensions, this.options.filename))];
    return [drawn.sequence, ...Array(drawn.rows - 1).fill("")];
  }
}
