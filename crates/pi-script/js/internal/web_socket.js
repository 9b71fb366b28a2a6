// WebSocket: there is none yet; who makes one is told.
class WebSocket {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSING = 2;
  static CLOSED = 3;
  constructor(url) {
    throw new DOMException(`WebSocket is not available in this program (${url}); use fetch with a streaming body`, "NotSupportedError");
  }
}

exports.WebSocket = WebSocket;
