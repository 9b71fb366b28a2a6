// Node's https: the client. A server would need keys and certificates.
const http = require("http");
const { unavailable } = require("internal/errors");
const { request, get } = require("internal/http_client")("https");

class Agent extends http.Agent {
  constructor(options) {
    super(options);
    Object.assign(this, { defaultPort: 443, protocol: "https:" });
  }
}

module.exports = { Agent, globalAgent: new Agent(), request, get, createServer: unavailable("https.createServer") };
