#!/usr/bin/env python3
"""What extensions of npm packages register: packages.py PROJECT REPORT RUNS PROGRAM...

PROJECT has the packages in node_modules, under the names that `alias` gives them. Each is loaded by PROGRAM as a client of
RPC would: every question is answered with no. In PROGRAM, @RUN@ stands for the home of that run. REPORT gets what each
registered, or why it could not be loaded."""
import concurrent.futures
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).parent
STRANGER = 65534
LIMIT = 60
QUIET = 2


def listed():
    return [tuple(line.split()) for line in (HERE / "list").read_text().splitlines() if line.strip()]


def alias(name, version):
    return f"{name.strip('@').replace('/', '-')}-{version}"


def entries(package):
    """The files that the package names as its extensions; a directory stands for its index."""
    manifest = json.loads((package / "package.json").read_text())
    named = manifest.get("pi", {}).get("extensions") or [manifest.get("main", "index.ts")]
    files = [package / entry for entry in named]
    return [next(iter(sorted(file.glob("index.[tj]s"))), file) if file.is_dir() else file for file in files]


def no(request):
    """The answer to a question, where it is one."""
    if request["method"] == "confirm":
        return {"type": "extension_ui_response", "id": request["id"], "confirmed": False}
    if request["method"] in ("select", "input", "editor"):
        return {"type": "extension_ui_response", "id": request["id"], "cancelled": True}
    return None


def read_text(path):
    """A file that strangers wrote: not where a link of theirs leads."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def run(program, package, work):
    """Loads a package; returns what it registered, and what went wrong."""
    log = work / "log"
    probes = []
    for number, entry in enumerate(entries(package)):
        probe = work / f"probe-{number}.ts"
        source = (HERE / "probe.ts").read_text()
        probe.write_text(source.replace('"ENTRY"', json.dumps(str(entry))).replace('"LOG"', json.dumps(str(log))))
        probes += ["-e", str(probe)]
    # A slow machine makes no difference.
    agent = work / ".pi/agent"
    agent.mkdir(parents=True)
    (agent / "settings.json").write_text('{"extensionLimits": {"turnSeconds": 60}}')
    if os.getuid() == 0:
        for path in [work, *work.rglob("*")]:
            os.chown(path, STRANGER, STRANGER)
    command = [*program, "--mode", "rpc", "--no-session", *probes]
    process = subprocess.Popen(command, cwd=work, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True)
    errors, lines = [], queue.Queue()
    threading.Thread(target=lambda: errors.extend(process.stderr), daemon=True).start()

    def read():
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()

    def say(message):
        try:
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()
        except BrokenPipeError:
            pass

    say({"type": "get_commands"})
    end, answered = time.monotonic() + LIMIT, False
    while time.monotonic() < end:
        try:
            line = lines.get(timeout=QUIET if answered else 1)
        except queue.Empty:
            if answered:
                break
            continue
        if line is None:
            break
        message = json.loads(line)
        if message.get("type") == "extension_ui_request" and no(message):
            say(no(message))
        answered |= message.get("command") == "get_commands"
    process.stdin.close()
    try:
        process.wait(timeout=15)
    except subprocess.TimeoutExpired:
        pass
    # And whatever it has left behind.
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    registered = {}
    for line in read_text(log).splitlines():
        kind, name = json.loads(line)
        registered.setdefault(kind, set()).add(name)
    said = {kind: sorted(names) for kind, names in sorted(registered.items())}
    if not answered:
        failure = [line.strip() for line in errors if "Error" in line] or ["no answer"]
        said["failure"] = failure[0].replace(str(package), "PACKAGE")[:300]
    return said


def main():
    project, report, runs, *program = sys.argv[1:]

    def load(listed_package):
        work = pathlib.Path(tempfile.mkdtemp(prefix="package-", dir=runs))
        package = pathlib.Path(project) / "node_modules" / alias(*listed_package)
        try:
            return run([part.replace("@RUN@", str(work)) for part in program], package.resolve(), work)
        except OSError as error:
            return {"failure": str(error)}
        finally:
            shutil.rmtree(work, ignore_errors=True)

    # Mostly they wait.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(load, listed()))
    found = {f"{name} {version}": said for (name, version), said in zip(listed(), reports)}
    pathlib.Path(report).write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
