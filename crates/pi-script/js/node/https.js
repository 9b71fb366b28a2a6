// Node's https: the client. A server would need keys and certificates.
const { Agent } = require("http");
const { unavailable } = require("internal/errors");
const { request, get } = require("internal/http_client")("https");

module.exports = { Agent, globalAgent: new Agent(), request, get, createServer: unavailable("https.createServer") };
