"""A model that a test plays: an endpoint that streams calls of tools, and the provider with which pi finds it."""
import http.server
import json
import threading

# What the tools have answered so far, newest request.
results = []


class PlayedModel(http.server.BaseHTTPRequestHandler):
    """Has tools called one after the other, then says that it is done."""

    def next_call(self, request):
        """Name and arguments of the next call; None when it is done."""
        raise NotImplementedError

    def log_message(self, *_):
        pass

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        results[:] = [json.dumps(message["content"]) for message in request["messages"] if message["role"] == "tool"]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        called = self.next_call(request)
        if called:
            name, arguments = called
            call = {"name": name, "arguments": json.dumps(arguments)}
            calls = [{"index": 0, "id": f"call{len(results)}", "type": "function", "function": call}]
            self.say({"role": "assistant", "tool_calls": calls}, None)
            self.say({}, "tool_calls")
        else:
            self.say({"role": "assistant", "content": "done"}, None)
            self.say({}, "stop")
        self.wfile.write(b"data: [DONE]\n\n")

    def say(self, delta, finish):
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        chunk = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
        self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())


def configure(agent, model, servers):
    """Serves the model, and writes it and the MCP servers into this configuration directory, which must not be there."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    provider = {
        "baseUrl": f"http://127.0.0.1:{server.server_port}/v1", "api": "openai-completions", "apiKey": "none",
        "models": [{"id": "m", "name": "M", "contextWindow": 100000, "maxTokens": 1000}],
    }
    agent.mkdir(parents=True)
    (agent / "mcp.json").write_text(json.dumps({"mcpServers": servers}))
    (agent / "models.json").write_text(json.dumps({"providers": {"played": provider}}))
