"""A server of MCP for tests that is reached by HTTP, and the authorization server in front of it.

The first argument says how it is bad, or `good`; the second is the directory in which it keeps its notes: a line of JSON for
each request in `http.log`. It prints its port. Tools are those of server.py.
"""

import base64
import hashlib
import json
import os
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODE = sys.argv[1]
os.chdir(sys.argv[2])
sys.argv = ["server.py", "good"]
import server  # noqa: E402

LOCK = threading.Lock()
CANCELLED = threading.Event()
CODES, TOKENS, REFRESHES, CLIENTS = {}, {}, {}, {}
COUNTER = iter(range(1, 1000))
# Seconds that a token is good for; the client renews it when half of that is over, or less.
LIFE = 2 if MODE in ("oauth-short", "oauth-revoked") else 3600
NEEDS = {"long": "write"}
# Nothing that is published says where these logins are.
AUTH = "/tenant" if MODE == "oauth-elsewhere" else ""
TAKES_DOCUMENTS = MODE.startswith("oauth-documents")
NAMES_ITSELF = MODE != "oauth-documents-anonymous"


def note(**what):
    with LOCK, open("http.log", "a") as file:
        file.write(json.dumps(what) + "\n")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    @property
    def base(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def send(self, status, body=b"", kind="application/json", **headers):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        note(get=url.path, query=query)
        if MODE.startswith("oauth"):
            if url.path == "/.well-known/oauth-protected-resource/mcp" and not AUTH:
                return self.send(200, {"resource": self.base + "/mcp", "authorization_servers": [self.base],
                                       "scopes_supported": ["read"]})
            if url.path == (AUTH or "/.well-known") + "/oauth-authorization-server":
                return self.send(200, self.metadata())
            if url.path == AUTH + "/authorize":
                return self.authorize(query)
        if url.path == "/page":
            return self.send(200, b"<html>Welcome</html>", "text/html")
        self.send(405 if url.path == "/mcp" else 404)

    def metadata(self):
        found = {"issuer": self.base, "authorization_endpoint": self.base + AUTH + "/authorize",
                 "token_endpoint": self.base + AUTH + "/token", "response_types_supported": ["code"],
                 "code_challenge_methods_supported": ["S256"],
                 "authorization_response_iss_parameter_supported": NAMES_ITSELF}
        if MODE != "oauth-closed" and not TAKES_DOCUMENTS:
            found["registration_endpoint"] = self.base + AUTH + "/register"
        if TAKES_DOCUMENTS:
            found.update(client_id_metadata_document_supported=True, token_endpoint_auth_methods_supported=["none"])
        return found

    def is_known(self, query):
        client = query["client_id"]
        has_document = TAKES_DOCUMENTS and client.startswith("https://")
        return client == "mine" or has_document or query["redirect_uri"] in CLIENTS.get(client, ())

    def authorize(self, query):
        if not self.is_known(query):
            return self.send(400, {"error": "invalid_request"})
        back = {"state": query["state"]}
        if NAMES_ITSELF:
            back["iss"] = self.base
        if MODE == "oauth-denied":
            back.update(error="access_denied", error_description="not today")
        else:
            code = f"code-{next(COUNTER)}"
            CODES[code] = query
            back["code"] = code
        self.send(302, Location=query["redirect_uri"] + "?" + urllib.parse.urlencode(back))

    def do_DELETE(self):
        self.send(200)

    def do_POST(self):
        body = self.body()
        if self.path in ("/register", "/token") and (AUTH or not MODE.startswith("oauth")):
            return self.send(404)
        if self.path == AUTH + "/register":
            asked = json.loads(body)
            client = f"client-{next(COUNTER)}"
            CLIENTS[client] = asked["redirect_uris"]
            note(register=asked)
            return self.send(201, {**asked, "client_id": client})
        if self.path == AUTH + "/token":
            return self.token(dict(urllib.parse.parse_qsl(body.decode())))
        message = json.loads(body)
        note(post=message.get("method"), headers=dict(self.headers), params=message.get("params"))
        if MODE == "500":
            return self.send(500, b"out of order", "text/plain")
        if MODE == "401":
            return self.send(401, WWW_Authenticate="Bearer")
        if MODE == "html":
            return self.send(200, b"<html>Welcome</html>", "text/html")
        if MODE.startswith("oauth") and not self.is_allowed(message):
            return None
        return self.answer(message)

    def is_allowed(self, message):
        where = f'resource_metadata="{self.base}/.well-known/oauth-protected-resource/mcp"'
        scopes = TOKENS.get(self.headers.get("Authorization", "").removeprefix("Bearer "))
        if scopes is None or scopes[1] < time.time():
            self.send(401, WWW_Authenticate=f'Bearer {where}, scope="read"')
            return False
        needed = NEEDS.get((message.get("params") or {}).get("name"))
        if needed and needed not in scopes[0].split():
            self.send(403, WWW_Authenticate=f'Bearer error="insufficient_scope", scope="{needed}", {where}')
            return False
        return True

    def token(self, asked):
        secret = self.headers.get("Authorization", "")
        note(token={key: asked.get(key) for key in ("grant_type", "resource", "client_id")}, secret=secret)
        if asked["grant_type"] == "authorization_code":
            query = CODES.pop(asked["code"], None)
            digest = hashlib.sha256(asked["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
            if query is None or query["code_challenge"] != challenge or query["code_challenge_method"] != "S256":
                return self.send(400, {"error": "invalid_grant"})
            scope = query.get("scope", "")
        else:
            with LOCK:
                # Each is good for one renewal: two at once would lose the login.
                scope = REFRESHES.pop(asked["refresh_token"], None)
            if scope is None or MODE == "oauth-revoked":
                return self.send(400, {"error": "invalid_grant"})
        number = next(COUNTER)
        TOKENS[f"access-{number}"] = (scope, time.time() + LIFE)
        REFRESHES[f"refresh-{number}"] = scope
        return self.send(200, {"access_token": f"access-{number}", "refresh_token": f"refresh-{number}",
                               "token_type": "Bearer", "expires_in": LIFE, "scope": scope})

    def answer(self, message):
        method, name = message.get("method"), (message.get("params") or {}).get("name")
        if method == "notifications/cancelled":
            CANCELLED.set()
        if "id" not in message or method is None:
            return self.send(202)
        if name == "hang":
            # Until the client has called it off; then it answers all the same.
            CANCELLED.wait(60)
        if name == "die":
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"jsonrpc": "2.0", ')
            self.close_connection = True
            return None
        if name == "garbage":
            return self.send(200, b"Segmentation fault, sorry")
        if name == "huge":
            text = "x" * (17 << 20)
            return self.send(200, {"jsonrpc": "2.0", "id": message["id"], "result": {"content": [
                {"type": "text", "text": text}]}})
        said = []
        with LOCK:
            server.say = said.append
            if name == "hang":
                server.text(message, "too late")
            else:
                server.handle(message)
        if len(said) == 1:
            headers = {"Mcp_Session_Id": "session-1"} if method == "initialize" else {}
            return self.send(200, said[0], **headers)
        lines = "".join(f"event: message\ndata: {json.dumps(one)}\n\n" for one in said)
        return self.send(200, lines.encode(), "text/event-stream")


class Server(ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        # A client that goes away in the middle is what some tests are about.
        if not isinstance(sys.exc_info()[1], (BrokenPipeError, ConnectionResetError)):
            super().handle_error(request, client_address)


httpd = Server(("127.0.0.1", 0), Handler)
httpd.daemon_threads = True
print(httpd.server_address[1], flush=True)
httpd.serve_forever()
