#!/usr/bin/env python3
"""Whether a program finds and reaches a provider as in the world: talks.py PROGRAM HOME.

In network and mount namespaces of its own (so only root can), this is the name server, the provider behind TLS, and the
authority that vouches for it. The provider's name is in no file, so only DNS has it; a name that DNS does not have, and a
provider that nobody vouches for, must be refused. A script extension asks the provider, too."""
import http.server
import json
import os
import pathlib
import socket
import ssl
import struct
import subprocess
import sys
import threading

NAME = "provider.test"
INSIDE = "PI_TALKS_INSIDE"


class Provider(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer("text/plain", b"words of the provider")

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        chunks = [({"role": "assistant", "content": "by name and TLS"}, None), ({}, "stop")]
        events = [{"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]} for delta, reason in chunks]
        lines = [json.dumps({"id": "1", "object": "chat.completion.chunk", "model": "m", **event}) for event in events]
        self.answer("text/event-stream", "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"]).encode())

    def answer(self, kind, body):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def serve_names(sock):
    """A name server that knows one name, and an IPv4 address for it."""
    while True:
        query, client = sock.recvfrom(512)
        labels, at = [], 12
        while query[at]:
            labels.append(query[at + 1:at + 1 + query[at]].decode())
            at += 1 + query[at]
        question, kind = query[12:at + 5], struct.unpack("!H", query[at + 1:at + 3])[0]
        known = ".".join(labels) == NAME
        answers = [b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 60, 4) + socket.inet_aton("127.0.0.1")] if known and kind == 1 else []
        head = query[:2] + struct.pack("!HHHHH", 0x8180 if known else 0x8183, 1, len(answers), 0, 0)
        sock.sendto(head + question + b"".join(answers), client)


def certificate(work):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}",
         "-addext", "basicConstraints=critical,CA:FALSE", "-keyout", work / "key.pem", "-out", work / "cert.pem"],
        check=True, capture_output=True)


def surroundings(work):
    """The name server and the provider; returns the provider's port."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    (work / "resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:2 attempts:1\n")
    subprocess.run(["mount", "--bind", work / "resolv.conf", os.path.realpath("/etc/resolv.conf")], check=True)
    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    names.bind(("127.0.0.1", 53))
    threading.Thread(target=serve_names, args=(names,), daemon=True).start()
    certificate(work)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(work / "cert.pem", work / "key.pem")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    # A client that refuses the certificate is no mistake of the server.
    server.handle_error = lambda *_: None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def configure(home, port):
    agent = home / ".pi/agent"
    agent.mkdir(parents=True, exist_ok=True)
    provider = lambda host: {"baseUrl": f"https://{host}:{port}/v1", "api": "openai-completions", "apiKey": "key", "models": [{"id": "m"}]}
    (agent / "models.json").write_text(json.dumps({"providers": {"known": provider(NAME), "unknown": provider("nobody.test")}}))
    (agent / "settings.json").write_text(json.dumps({"retry": {"enabled": False}}))
    words = f'import {{ writeFileSync }} from "node:fs"\nexport default async (pi: unknown): Promise<void> => {{\n  const answer = await fetch("https://{NAME}:{port}/")\n  writeFileSync("script-ran", await answer.text())\n}}\n'
    (home / "asks.ts").write_text(words)


def main():
    program, home = sys.argv[1], pathlib.Path(sys.argv[2])
    if INSIDE not in os.environ:
        # What is mounted here is nobody else's.
        os.environ[INSIDE] = "1"
        os.execvp("unshare", ["unshare", "--net", "--mount", "--propagation", "private", sys.executable, *sys.argv])
    work = home / "talks"
    work.mkdir()
    port = surroundings(work)
    configure(home, port)

    def run(*args, trust=True):
        env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **({"SSL_CERT_FILE": str(work / "cert.pem")} if trust else {})}
        ran = subprocess.run([program, "--no-session", *args, "-p", "hi"], env=env, cwd=home, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        return ran.returncode, ran.stdout, ran.stderr

    complaints = []
    check = lambda what, ran, ok: None if ok else complaints.append(f"{what}: {ran}")
    ran = run("--model", "known/m", "-e", "asks.ts")
    check("a provider by its name, over TLS", ran, ran[:2] == (0, "by name and TLS\n"))
    script = home / "script-ran"
    check("a script's fetch", ran, script.is_file() and script.read_text() == "words of the provider")
    ran = run("--model", "unknown/m")
    check("a name that there is not", ran, ran[0] != 0 and "nobody.test" in ran[2])
    ran = run("--model", "known/m", trust=False)
    check("a provider that nobody vouches for", ran, ran[0] != 0 and "certificate" in ran[2].lower())
    for complaint in complaints:
        print(complaint)
    sys.exit(bool(complaints))


main()
