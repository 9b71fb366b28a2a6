"""A model that a test plays: an endpoint that streams calls of tools, and the provider with which pi finds it."""
import contextlib
import http.server
import json
import os
import socket
import subprocess
import sys
import threading
import time

STRANGER = 65534
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
    """Serves the model, and writes it and the MCP servers into this configuration directory, which must not be there. Gives
    the model's address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    provider = {
        "baseUrl": f"http://127.0.0.1:{server.server_port}/v1", "api": "openai-completions", "apiKey": "none",
        "models": [{"id": "m", "name": "M", "contextWindow": 100000, "maxTokens": 1000}],
    }
    agent.mkdir(parents=True)
    (agent / "mcp.json").write_text(json.dumps({"mcpServers": servers}))
    (agent / "models.json").write_text(json.dumps({"providers": {"played": provider}}))
    return f"http://127.0.0.1:{server.server_port}/"


def hand_over(home):
    """Gives the home to the user without rights who the program runs as where this user has them."""
    if os.getuid() == 0:
        for path in [home, *home.rglob("*")]:
            os.chown(path, STRANGER, STRANGER)


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def web_server(program, modules, port):
    """The server `everything`, over HTTP on this port, as the user of `program`."""
    script = str(modules / "@modelcontextprotocol/server-everything/dist/index.js")
    server = subprocess.Popen([*program[:-1], f"PORT={port}", "node", script, "streamableHttp"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield
    finally:
        server.terminate()
        server.wait()


def wait_for(port):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    sys.exit("the MCP server does not listen")
