"""A server of MCP for tests: well behaved, or bad in the way that its first argument names.

It speaks by standard input and output, one JSON text per line, and writes its process id to the file `pid` where it runs.
"""

import json
import os
import sys
import time

MODE = sys.argv[1] if len(sys.argv) > 1 else "good"
TOOLS = [
    {"name": "echo", "description": "Says what it was told.", "inputSchema": {
        "$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
        "properties": {"text": {"$ref": "#/$defs/Text"}}, "required": ["text"], "$defs": {"Text": {"type": "string"}}}},
    {"name": "picture", "description": "Draws a red dot.", "inputSchema": {"type": "object"},
     "annotations": {"readOnlyHint": True, "openWorldHint": False}},
    {"name": "broken", "description": "Always fails.", "inputSchema": {"type": "object"}},
    {"name": "long", "description": "Says a lot.", "inputSchema": {"type": "object"}},
    {"name": "slow", "description": "Takes its time and says so.", "inputSchema": {"type": "object"}},
    {"name": "hang", "description": "Never answers.", "inputSchema": {"type": "object"}},
    {"name": "die", "description": "Ends the server.", "inputSchema": {"type": "object"},
     "annotations": {"destructiveHint": True}},
    {"name": "huge", "description": "Answers with 100 MB.", "inputSchema": {"type": "object"}},
    {"name": "garbage", "description": "Answers with what is no JSON.", "inputSchema": {"type": "object"}},
    {"name": "grow", "description": "Adds a tool.", "inputSchema": {"type": "object"}},
    {"name": "env", "description": "Says the variable TOKEN.", "inputSchema": {"type": "object"}},
]
# What a server asks back.
CURIOUS = [
    {"name": "ask", "description": "Asks the user for a name and an age.", "inputSchema": {"type": "object"}},
    {"name": "show", "description": "Asks the user to open a page.", "inputSchema": {"type": "object"}},
    {"name": "wall", "description": "Wants a page to be opened first.", "inputSchema": {"type": "object"}},
    {"name": "borrow", "description": "Asks for the model.", "inputSchema": {"type": "object"}},
    {"name": "where", "description": "Asks for the roots.", "inputSchema": {"type": "object"}},
    {"name": "odd", "description": "Asks in a way that cannot be read.", "inputSchema": {"type": "object"}},
]
FORM = {"mode": "form", "message": "Who are you?", "requestedSchema": {"type": "object", "required": ["name", "age"],
        "properties": {"name": {"type": "string", "title": "Name"}, "age": {"type": "integer", "minimum": 18}}}}
QUESTIONS = {
    "ask": ("elicitation/create", FORM),
    "show": ("elicitation/create", {"mode": "url", "message": "Pay here.", "elicitationId": "1",
                                    "url": "https://pay.example.com/1"}),
    "borrow": ("sampling/createMessage", {"maxTokens": 1, "messages": []}),
    "where": ("roots/list", {}),
    "odd": ("elicitation/create", {"mode": "form", "message": "Odd?", "requestedSchema": "none"}),
}
if MODE in ("curious", "newest"):
    TOOLS += CURIOUS
if MODE in ("shifting", "modest"):
    TOOLS.append({"name": "shift", "description": "Drops echo, describes env anew.", "inputSchema": {"type": "object"}})
# Of the newest revision: who asked to be told of changed lists.
LISTENERS = []
if MODE == "many":
    FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../fixtures/mcp/tools.jsonl")
    with open(FIXTURES, encoding="utf-8") as lines:
        OTHERS = [json.loads(line) for line in lines]
    TOOLS = [{"name": other["server"] + "_" + other["name"], "description": other["description"],
              "inputSchema": other["inputSchema"]} for other in OTHERS]
if MODE == "shop":
    TOOLS = [
        {"name": "list_orders", "description": "The ids of all orders of a month.", "inputSchema": {
            "type": "object", "properties": {"month": {"type": "string"}}, "required": ["month"]}},
        {"name": "get_order", "description": "An order with its items, its customer and its history.", "inputSchema": {
            "type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}},
    ]
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
PROMPTS = [{"name": "review", "description": "Asks for a review.", "arguments": [{"name": "file", "required": True}]}]
RESOURCES = [
    {"uri": "memo://one", "name": "one", "description": "The first memo."},
    {"uri": "memo://dot", "name": "dot", "mimeType": "image/png"},
    {"uri": "memo://pdf", "name": "pdf", "mimeType": "application/pdf", "size": 4},
]
TEMPLATES = [{"uriTemplate": "memo://{day}", "name": "of a day", "title": "The memo of a day"}]
CONTENTS = {
    "memo://one": {"text": "Buy milk."},
    "memo://dot": {"mimeType": "image/png", "blob": DOT},
    "memo://pdf": {"mimeType": "application/pdf", "blob": "JVBERg=="},
    "memo://long": {"text": "begin" + "x" * 50000 + "end"},
}


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(request, result):
    say({"jsonrpc": "2.0", "id": request["id"], "result": result})


def text(request, words, **more):
    answer(request, {"content": [{"type": "text", "text": words}], **more})


def ask_back(method, params):
    """What the client answers; it may say other things meanwhile."""
    say({"jsonrpc": "2.0", "id": "back", "method": method, "params": params})
    while True:
        line = sys.stdin.readline()
        if not line:
            sys.exit(0)
        message = json.loads(line)
        if message.get("id") == "back" and "method" not in message:
            log("answer " + json.dumps(message.get("result")))
            return message
        handle(message)


def page(request, key, entries):
    """A list, one entry a page; in the mode `endless` there is always another."""
    at = int(request.get("params", {}).get("cursor", "0"))
    more = {"nextCursor": str(at + 1)} if MODE == "endless" or at + 1 < len(entries) else {}
    answer(request, {key: [entries[at % len(entries)]], **more})


def list_tools(request):
    tools, more = TOOLS, {}
    if MODE == "circular":
        more = {"nextCursor": "again"}
    if MODE == "unending":
        tools = TOOLS[:1] * 100
        more = {"nextCursor": str(int((request.get("params") or {}).get("cursor", "0")) + 1)}
    if MODE == "partly":
        tools = TOOLS[:1] + [{"name": "text", "inputSchema": "a text"}, {"name": "bare"}, {"inputSchema": {}}, 7]
    answer(request, {"tools": tools, **more})


def log(line):
    with open("server.log", "a") as file:
        file.write(line + "\n")


def order(number):
    items = [{"sku": "A-%d-%d" % (number, item), "title": "A thing of the catalogue", "price": 10 * item + number, "count": 2}
             for item in range(1, 6)]
    return {"id": number, "customer": {"id": 1000 + number, "name": "Customer %d" % number, "city": "Springfield"},
            "items": items, "history": [{"at": "2026-05-%02d" % day, "state": "step %d" % day} for day in range(1, 9)]}


def call(request):
    params = request["params"]
    name, arguments = params["name"], params.get("arguments", {})
    if MODE == "many":
        text(request, "called " + name)
    elif MODE == "shop":
        found = {"ids": list(range(1, 21))} if name == "list_orders" else order(arguments["id"])
        text(request, json.dumps(found), structuredContent=found)
    elif name not in [tool["name"] for tool in TOOLS] and MODE == "modest":
        # As the SDKs of some languages report it.
        text(request, "Tool " + name + " not found", isError=True)
    elif name not in [tool["name"] for tool in TOOLS]:
        say({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32602, "message": "no such tool"}})
    elif name == "echo":
        text(request, arguments["text"], structuredContent={"said": arguments["text"]})
    elif name == "picture":
        answer(request, {"content": [{"type": "image", "data": DOT, "mimeType": "image/png"}]})
    elif name == "broken":
        text(request, "the tool is broken", isError=True)
    elif name == "long":
        text(request, "begin" + "x" * 50000 + "end")
    elif name == "slow":
        token = params["_meta"]["progressToken"]
        for step in range(6):
            say({"jsonrpc": "2.0", "method": "notifications/progress",
                 "params": {"progressToken": token, "progress": step, "total": 6, "message": "working"}})
            time.sleep(0.7)
        text(request, "done at last")
    elif name == "die":
        sys.stderr.write("out of memory\n")
        sys.stderr.flush()
        os._exit(7)
    elif name == "huge":
        for _ in range(100):
            sys.stdout.write("x" * 1000000)
        sys.stdout.write("\n")
        sys.stdout.flush()
    elif name == "garbage":
        sys.stdout.write("Segmentation fault, sorry\n")
        sys.stdout.flush()
    elif name == "grow":
        TOOLS.append({"name": "late", "description": "Came late.", "inputSchema": {"type": "object"}})
        for listener in LISTENERS or [{}]:
            say({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", **listener})
        text(request, "grown")
    elif name == "shift":
        TOOLS[:] = [{**tool, "description": "Is another now."} if tool["name"] == "env" else tool
                    for tool in TOOLS if tool["name"] != "echo"]
        say({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
        text(request, "shifted")
    elif name == "late":
        text(request, "here I am")
    elif name == "env":
        text(request, os.environ.get("TOKEN", "none"))
    elif name == "wall":
        say({"jsonrpc": "2.0", "id": request["id"], "error": {
            "code": -32042, "message": "Pay first", "data": {"elicitations": [QUESTIONS["show"][1]]}}})
    elif name in QUESTIONS and MODE == "newest":
        # The newest revision has no requests of servers: the call ends with a question, and comes again with the answer.
        if "inputResponses" in params:
            text(request, json.dumps(params["inputResponses"]["it"], sort_keys=True) + " " + params["requestState"])
        else:
            method, asked = QUESTIONS[name]
            answer(request, {"resultType": "input_required", "requestState": "state-1",
                             "inputRequests": {"it": {"method": method, "params": asked}}})
    elif name in QUESTIONS:
        said = ask_back(*QUESTIONS[name])
        text(request, json.dumps(said.get("result", said.get("error")), sort_keys=True))


def handle_newest(request, method):
    """What the newest revision has instead of a handshake."""
    if method == "server/discover":
        answer(request, {"resultType": "complete", "supportedVersions": ["2026-07-28"], "ttlMs": 0, "cacheScope": "private",
                         "capabilities": {"tools": {"listChanged": True}},
                         "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "test", "version": "1"}}})
    elif method == "subscriptions/listen":
        listener = {"_meta": {"io.modelcontextprotocol/subscriptionId": request["id"]}}
        LISTENERS.append({"params": listener})
        say({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
             "params": {**listener, "notifications": request["params"]["notifications"]}})
    elif method == "initialize":
        say({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "Method not found"}})
    else:
        return False
    return True


def handle(request):
    method = request.get("method")
    log(method or "answer")
    if method == "initialize":
        log(json.dumps(request["params"]["capabilities"], sort_keys=True))
    if method == "notifications/cancelled" and MODE == "late":
        text({"id": request["params"]["requestId"]}, "too late")
    if "id" not in request or method is None:
        return
    if MODE == "newest" and handle_newest(request, method):
        return
    if method == "initialize":
        version = "2099-01-01" if MODE == "future" else request["params"]["protocolVersion"]
        answer(request, {"protocolVersion": version, "serverInfo": {"name": "test", "version": "1"},
                         "capabilities": {"tools": {"listChanged": True}, "prompts": {}, "resources": {}}})
    elif method == "tools/list":
        list_tools(request)
    elif method == "prompts/list":
        answer(request, {"prompts": PROMPTS})
    elif method == "prompts/get":
        words = "Review " + request["params"]["arguments"]["file"]
        answer(request, {"messages": [{"role": "user", "content": {"type": "text", "text": words}}]})
    elif method == "resources/list":
        page(request, "resources", RESOURCES)
    elif method == "resources/templates/list":
        page(request, "resourceTemplates", TEMPLATES)
    elif method == "resources/read":
        uri = request["params"]["uri"]
        if uri in CONTENTS:
            answer(request, {"contents": [{"uri": uri, **CONTENTS[uri]}]})
        else:
            say({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32002, "message": "no such memo"}})
    elif method == "tools/call":
        call(request)
    else:
        say({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "Method not found"}})


def main():
    with open("pid", "w") as file:
        file.write(f"{os.getpid()}\n")
    if MODE == "deaf":
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if MODE == "silent":
        sys.stderr.write("waiting for nothing\n")
        sys.stderr.flush()
        time.sleep(600)
    if MODE == "crash":
        sys.stderr.write("no configuration found\n")
        sys.exit(3)
    if MODE == "flood":
        sys.stderr.write("noise and more noise\n" * 500000)
    for line in sys.stdin:
        handle(json.loads(line))
    while MODE == "deaf":
        time.sleep(1)


if __name__ == "__main__":
    main()
