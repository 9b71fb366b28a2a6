// The frames of WebSockets (RFC 6455): those of a client are masked, those of a server are not.
const [CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10];
const LIMIT = 256 * 1024 * 1024;

function frame(code, payload) {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65536 ? 4 : 10);
  head[0] = 0x80 | code;
  if (length < 126) head[1] = length;
  else if (length < 65536) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  if (length >= 126) head[1] = length < 65536 ? 126 : 127;
  head[1] |= 0x80;
  const mask = crypto.getRandomValues(new Uint8Array(4));
  const masked = Buffer.from(payload);
  for (let i = 0; i < length; i++) masked[i] ^= mask[i & 3];
  return Buffer.concat([head, mask, masked]);
}
frame.reason = (code, text) => Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(text)]);

// Puts frames together from pieces, and messages from frames.
class FrameReader {
  #pieces = [];
  #size = 0;
  #parts = [];
  #kind = null;
  #onMessage;
  #onError;
  #isBroken = false;
  // (code, payload) and (message, status code)
  constructor(onMessage, onError) {
    this.#onMessage = onMessage;
    this.#onError = onError;
  }
  take(piece) {
    this.#pieces.push(piece);
    this.#size += piece.length;
    while (!this.#isBroken && this.#next());
  }
  #joined() {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
    return this.#pieces[0];
  }
  #fail(message, code = 1002) {
    this.#isBroken = true;
    this.#onError(message, code);
    return false;
  }
  // One frame; whether there was a whole one.
  #next() {
    if (this.#size < 2) return false;
    let data = this.#pieces[0].length >= 14 ? this.#pieces[0] : this.#joined();
    const short = data[1] & 127;
    const head = 2 + (short === 126 ? 2 : short === 127 ? 8 : 0);
    if (data.length < head) return false;
    if (data[0] & 0x70) return this.#fail("RSV bits are set without an extension");
    if (data[1] & 0x80) return this.#fail("A frame of the server is masked");
    const length = short === 126 ? data.readUInt16BE(2) : short === 127 ? Number(data.readBigUInt64BE(2)) : short;
    if (length > LIMIT) return this.#fail("The message is too long", 1009);
    if (this.#size < head + length) return false;
    data = this.#joined();
    const [first, payload] = [data[0], data.subarray(head, head + length)];
    this.#pieces = [data.subarray(head + length)];
    this.#size -= head + length;
    return this.#frame(first & 15, Boolean(first & 0x80), payload);
  }
  #frame(code, isLast, payload) {
    if (code >= CLOSE) {
      if (!isLast || payload.length > 125) return this.#fail("Invalid control frame");
      this.#onMessage(code, Buffer.from(payload));
      return true;
    }
    if ((code === CONTINUATION) !== (this.#kind !== null)) return this.#fail("A frame out of order");
    this.#kind ??= code;
    this.#parts.push(payload);
    if (!isLast) return true;
    const [kind, whole] = [this.#kind, Buffer.concat(this.#parts)];
    [this.#kind, this.#parts] = [null, []];
    if (kind === TEXT && !require("buffer").isUtf8(whole)) return this.#fail("A text is not UTF-8", 1007);
    this.#onMessage(kind, whole);
    return true;
  }
}

module.exports = { FrameReader, frame, CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG };
