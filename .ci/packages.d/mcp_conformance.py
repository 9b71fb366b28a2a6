#!/usr/bin/env python3
"""pi as the client that the conformance suite of MCP tests: mcp_conformance.py PROGRAM URL.

The suite names its scenario in MCP_CONFORMANCE_SCENARIO and what a client is given beforehand in MCP_CONFORMANCE_CONTEXT. pi
gets the server in its configuration, logs in where that is wanted, and calls every tool once, for a model that this plays. It
speaks revision 2025-11-25: the suite knows no newer one."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import played
from played import results

BROWSER = "#!/usr/bin/env python3\nimport sys, urllib.request\nurllib.request.urlopen(sys.argv[1])\n"
ANSWERS = {"confirm": {"confirmed": True}, "input": {"value": ""}}


class Model(played.PlayedModel):
    """Calls each tool of the server once."""

    def next_call(self, request):
        tools = [tool["function"] for tool in request["tools"] if tool["function"]["name"].startswith("mcp__")]
        if len(results) >= len(tools):
            return None
        tool = tools[len(results)]
        return tool["name"], {name: 2 for name in tool["parameters"].get("required", [])}


def configure(agent, url):
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    oauth = {"clientId": context.get("client_id"), "clientSecret": context.get("client_secret")}
    if os.environ.get("MCP_CONFORMANCE_SCENARIO") == "auth/basic-cimd":
        oauth["clientMetadataUrl"] = "https://conformance-test.local/client-metadata.json"
    entry = {"url": url, "protocolVersion": "2025-11-25", "oauth": {key: value for key, value in oauth.items() if value}}
    played.configure(agent, Model, {"h": entry})


def converse(run):
    """A prompt; every question to the user is answered, with what the server suggests."""
    lines = subprocess.PIPE
    with subprocess.Popen([*run, "--mode", "rpc", "--no-session", "--model", "played/m"], stdin=lines, stdout=lines, text=True) as pi:
        pi.stdin.write('{"type": "prompt", "message": "go"}\n')
        pi.stdin.flush()
        for line in pi.stdout:
            event = json.loads(line)
            if event["type"] == "agent_end":
                break
            method = event.get("method")
            answer = {"value": event["options"][0]} if method == "select" else ANSWERS.get(method)
            if event["type"] == "extension_ui_request" and answer:
                pi.stdin.write(json.dumps({"type": "extension_ui_response", "id": event["id"], **answer}) + "\n")
                pi.stdin.flush()
        pi.stdin.close()


def main():
    program, url = sys.argv[1:]
    with tempfile.TemporaryDirectory() as home:
        os.chdir(home)
        browser = pathlib.Path(home) / "browser"
        browser.write_text(BROWSER)
        browser.chmod(0o755)
        os.environ.update(HOME=home, BROWSER=str(browser), PI_SKIP_VERSION_CHECK="1")
        configure(pathlib.Path(home) / ".pi/agent", url)
        listed = subprocess.run([program, "mcp", "list"], capture_output=True, text=True)
        print(listed.stdout, listed.stderr, file=sys.stderr)
        if "needs a login" in listed.stdout:
            subprocess.run([program, "mcp", "login", "h"], stdin=subprocess.DEVNULL, check=True)
        for _ in range(3):
            converse([program])
            print(results, file=sys.stderr)
            wanted = re.search(r'--scope \\+"([^"\\]*)', " ".join(results))
            if not wanted:
                break
            subprocess.run([program, "mcp", "login", "h", "--scope", wanted[1]], stdin=subprocess.DEVNULL, check=True)


main()
