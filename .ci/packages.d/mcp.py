#!/usr/bin/env python3
"""pi-mcp-adapter with a real MCP server, over pipes and over HTTP: mcp.py PROJECT HOME PROGRAM...

A model that this plays has the adapter connect to the server, and call a tool of it, in both ways. HOME is that of the user
who PROGRAM runs as; what PROGRAM begins with, up to the program itself, starts the server, too."""
import json
import pathlib
import subprocess
import sys

import played
from played import results

SAID = {"pipes": "over pipes", "web": "over http"}
CALLS = [call for server, text in SAID.items() for call in ({"connect": server}, {"tool": "echo", "server": server, "args": json.dumps({"message": text})})]


class Model(played.PlayedModel):
    def next_call(self, request):
        return ("mcp", CALLS[len(results)]) if len(results) < len(CALLS) else None


def main():
    project, home, *program = sys.argv[1:]
    modules = pathlib.Path(project).resolve() / "node_modules"
    server = str(modules / "@modelcontextprotocol/server-everything/dist/index.js")
    port = played.free_port()
    servers = {"pipes": {"command": "node", "args": [server]}, "web": {"url": f"http://127.0.0.1:{port}/mcp"}}
    played.configure(pathlib.Path(home) / ".pi/agent", Model, servers)
    played.hand_over(pathlib.Path(home))
    with played.web_server(program, modules, port):
        adapter = str(modules / "pi-mcp-adapter-2.36.0" / "index.ts")
        arguments = ["-e", adapter, "--no-session", "--provider", "played", "--model", "m", "-p", "go"]
        said = subprocess.run([*program, *arguments], cwd=home, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    missing = [server for server, text in SAID.items() if not any(f"Echo: {text}" in result for result in results)]
    if missing:
        sys.exit(f"pi-mcp-adapter: no answer over {missing}\n{said.stderr}\n" + "\n".join(results))
    print("packages: pi-mcp-adapter 2.36.0 calls a tool of @modelcontextprotocol/server-everything over pipes and over HTTP")


if __name__ == "__main__":
    main()
