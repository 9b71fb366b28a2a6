#!/usr/bin/env python3
"""The built-in support for MCP with servers of others: mcp_servers.py PROJECT VENV HOME PROGRAM...

A model that this plays searches for a tool of each server, which is declared from then on, and calls it. PROJECT has the
servers of npm, VENV those of PyPI. HOME is that of the user who PROGRAM runs as; what PROGRAM begins with, up to the program
itself, starts the server over HTTP, too."""
import pathlib
import subprocess
import sys

import played
from played import results

MANY = pathlib.Path(__file__).with_name("many_tools.py").read_text()
NOTE = "a note on disk"


class Model(played.PlayedModel):
    """For each of `calls`, (tool, arguments, what its result holds): a search, then the call."""

    calls = []
    undeclared = []

    def next_call(self, request):
        index, called = divmod(len(results), 2)
        if index >= len(self.calls):
            return None
        tool, arguments, _ = self.calls[index]
        server, name = tool.split("__")[1:]
        if not called:
            return "tool_search", {"query": f"{server} {name.replace('_', ' ')}"}
        if tool not in [declared["function"]["name"] for declared in request["tools"]]:
            self.undeclared.append(tool)
        return tool, arguments

    def do_GET(self):
        page = f"<html><body><p>{NOTE}</p></body></html>".encode()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)


def servers(modules, venv, home, port):
    packages = modules / "@modelcontextprotocol"
    node = lambda package, *args: {"command": "node", "args": [str(packages / package / "dist/index.js"), *args]}
    python = lambda command, *args: {"command": str(venv / "bin" / command), "args": list(args)}
    return {
        "filesystem": node("server-filesystem", str(home)),
        "memory": {**node("server-memory"), "env": {"MEMORY_FILE_PATH": str(home / "memory.json")}},
        "everything": node("server-everything"),
        "web": {"url": f"http://127.0.0.1:{port}/mcp"},
        "time": python("mcp-server-time"),
        "git": python("mcp-server-git"),
        "fetch": python("mcp-server-fetch", "--allow-private-ips", "--ignore-robots-txt"),
        "many": python("python", str(home / "many_tools.py")),
    }


def calls(home, page):
    entity = {"name": "pi", "entityType": "program", "observations": [NOTE]}
    return [
        ("mcp__filesystem__read_text_file", {"path": str(home / "note.txt")}, NOTE),
        ("mcp__memory__create_entities", {"entities": [entity]}, NOTE),
        ("mcp__everything__echo", {"message": "over pipes"}, "Echo: over pipes"),
        ("mcp__web__echo", {"message": "over http"}, "Echo: over http"),
        ("mcp__time__get_current_time", {"timezone": "Europe/Berlin"}, "Europe/Berlin"),
        ("mcp__git__git_status", {"repo_path": str(home / "repository")}, "note.txt"),
        ("mcp__fetch__fetch", {"url": page}, NOTE),
        ("mcp__many__add_150", {"x": 7}, "157"),
    ]


def left_over(home):
    """Processes that have this home, by their command lines."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if f"HOME={home}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


def main():
    project, venv, home, *program = sys.argv[1:]
    modules, home, port = pathlib.Path(project).resolve() / "node_modules", pathlib.Path(home), played.free_port()
    configured = servers(modules, pathlib.Path(venv), home, port)
    page = played.configure(home / ".pi/agent", Model, configured)
    Model.calls = calls(home, page)
    (home / "repository").mkdir()
    for written in ["note.txt", "repository/note.txt"]:
        (home / written).write_text(NOTE)
    (home / "many_tools.py").write_text(MANY)
    played.hand_over(home)
    subprocess.run([*program[:-1], "git", "init", "-q", str(home / "repository")], check=True)
    with played.web_server(program, modules, port):
        arguments = ["--no-session", "--provider", "played", "--model", "m", "-p", "go"]
        said = subprocess.run([*program, *arguments], cwd=home, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    wrong = [tool for (tool, _, wanted), result in zip(Model.calls, results[1::2]) if wanted not in result]
    wrong += [tool for tool, _, _ in Model.calls[len(results) // 2 :]] + Model.undeclared
    if wrong or said.returncode:
        sys.exit(f"MCP servers: exit code {said.returncode}; wrong: {wrong}\n{said.stderr}\n" + "\n".join(results))
    left = left_over(home)
    if left:
        sys.exit(f"MCP servers: processes were left: {left}")
    print(f"packages: a tool of each of {len(configured)} MCP servers is found and called; no process is left")


if __name__ == "__main__":
    main()
