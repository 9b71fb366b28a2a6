#!/usr/bin/env python3
"""pi-mcp-adapter with a real MCP server, over pipes and over HTTP: mcp.py PROJECT HOME PROGRAM...

A model that this plays has the adapter connect to the server, and call a tool of it, in both ways. HOME is that of the user
who PROGRAM runs as; what PROGRAM begins with, up to the program itself, starts the server, too."""
import http.server
import json
import os
import pathlib
import socket
import subprocess
import sys
import threading
import time

STRANGER = 65534
SAID = {"pipes": "over pipes", "web": "over http"}
CALLS = [call for server, text in SAID.items() for call in ({"connect": server}, {"tool": "echo", "server": server, "args": json.dumps({"message": text})})]
results = []


class Model(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        said = json.loads(self.rfile.read(int(self.headers["content-length"])))["messages"]
        results[:] = [json.dumps(message["content"]) for message in said if message["role"] == "tool"]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        if len(results) < len(CALLS):
            call = {"name": "mcp", "arguments": json.dumps(CALLS[len(results)])}
            delta = {"role": "assistant", "tool_calls": [{"index": 0, "id": f"call{len(results)}", "type": "function", "function": call}]}
            self.say(delta, None)
            self.say({}, "tool_calls")
        else:
            self.say({"role": "assistant", "content": "done"}, None)
            self.say({}, "stop")
        self.wfile.write(b"data: [DONE]\n\n")

    def say(self, delta, finish):
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        chunk = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
        self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for(port):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    sys.exit("the MCP server does not listen")


def main():
    project, home, *program = sys.argv[1:]
    modules = pathlib.Path(project).resolve() / "node_modules"
    server = str(modules / "@modelcontextprotocol/server-everything/dist/index.js")
    model = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=model.serve_forever, daemon=True).start()
    port, agent = free_port(), pathlib.Path(home) / ".pi/agent"
    servers = {"pipes": {"command": "node", "args": [server]}, "web": {"url": f"http://127.0.0.1:{port}/mcp"}}
    provider = {
        "baseUrl": f"http://127.0.0.1:{model.server_port}/v1", "api": "openai-completions", "apiKey": "none",
        "models": [{"id": "m", "name": "M", "contextWindow": 100000, "maxTokens": 1000}],
    }
    agent.mkdir(parents=True)
    (agent / "mcp.json").write_text(json.dumps({"mcpServers": servers}))
    (agent / "models.json").write_text(json.dumps({"providers": {"played": provider}}))
    if os.getuid() == 0:
        for path in [pathlib.Path(home), *pathlib.Path(home).rglob("*")]:
            os.chown(path, STRANGER, STRANGER)
    web = subprocess.Popen([*program[:-1], f"PORT={port}", "node", server, "streamableHttp"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port)
        adapter = str(modules / "pi-mcp-adapter-2.36.0" / "index.ts")
        arguments = ["-e", adapter, "--no-session", "--provider", "played", "--model", "m", "-p", "go"]
        said = subprocess.run([*program, *arguments], cwd=home, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    finally:
        web.terminate()
        web.wait()
    missing = [server for server, text in SAID.items() if not any(f"Echo: {text}" in result for result in results)]
    if missing:
        sys.exit(f"pi-mcp-adapter: no answer over {missing}\n{said.stderr}\n" + "\n".join(results))
    print("packages: pi-mcp-adapter 2.36.0 calls a tool of @modelcontextprotocol/server-everything over pipes and over HTTP")


if __name__ == "__main__":
    main()
