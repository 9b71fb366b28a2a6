"""The entry of the public registry of agents (Agent Client Protocol), beside the archives that it names.

    agent_entry.py make DIST ARCHIVE LABEL VERSION     adds an archive of DIST to DIST/agent.json
    agent_entry.py check DIST ARCHIVE                  says what is wrong with it

LABEL is the target triple, or `ARCHITECTURE-linux-static`, whose archive takes the place of that for one C library.
The format: https://github.com/agentclientprotocol/registry (FORMAT.md).
"""

import hashlib
import json
import re
import sys
import tarfile
from pathlib import Path
from urllib.parse import urlparse

HERE = Path(__file__).parent
MANIFEST = HERE.parent.parent / "Cargo.toml"
REPOSITORY = re.search(r'^repository = "(.*)"$', MANIFEST.read_text(), re.M)[1]
LICENSE = re.search(r'^license = "(.*)"$', MANIFEST.read_text(), re.M)[1]


def platform(label):
    system = "darwin" if "apple" in label else "linux"
    return f"{system}-{label.split('-')[0]}"


def entry(version):
    return {
        "id": "pi-rust",
        "name": "pi",
        "version": version,
        "description": "A coding agent for the terminal, scripts and editors, with sessions, extensions and many providers",
        "repository": REPOSITORY,
        "website": REPOSITORY,
        "authors": ["The pi authors"],
        "license": LICENSE,
        "license_url": f"{REPOSITORY}/blob/main/LICENSE",
        "distribution": {"binary": {}},
    }


def make(dist, archive, label, version):
    dist = Path(dist)
    file = dist / "agent.json"
    made = json.loads(file.read_text()) if file.exists() else entry(version)
    if made["version"] != version:
        made = entry(version)
    platforms = made["distribution"]["binary"]
    name = platform(label)
    before = platforms.get(name, {}).get("archive", "")
    if label.endswith("-static") or not before.endswith("-static.tar.gz"):
        platforms[name] = {
            "archive": f"{REPOSITORY}/releases/download/v{version}/{archive}",
            "sha256": hashlib.sha256((dist / archive).read_bytes()).hexdigest(),
            "cmd": f"./{archive.removesuffix('.tar.gz')}/bin/pi",
            "args": ["acp"],
        }
    file.write_text(json.dumps(made, indent=2) + "\n")
    (dist / "icon.svg").write_bytes((HERE / "icon.svg").read_bytes())


def problems(dist, archive):
    dist = Path(dist)
    made = json.loads((dist / "agent.json").read_text())
    if not re.fullmatch(r"[a-z][a-z0-9-]*", made["id"]) or not re.fullmatch(r"\d+\.\d+\.\d+", made["version"]):
        yield f"id or version: {made['id']} {made['version']}"
    named = [p for p in made["distribution"]["binary"].values() if p["archive"].endswith("/" + archive)]
    if not named and "static" not in str(made):
        yield f"{archive} is not named"
    for one in named:
        if f"/v{made['version']}/" not in urlparse(one["archive"]).path:
            yield f"another version: {one['archive']}"
        if one["sha256"] != hashlib.sha256((dist / archive).read_bytes()).hexdigest():
            yield f"another checksum: {archive}"
        if one["cmd"].removeprefix("./") not in tarfile.open(dist / archive).getnames():
            yield f"{archive} has no {one['cmd']}"
    icon = (dist / "icon.svg").read_text()
    if set(re.findall(r'(?:fill|stroke)="([^"]*)"', icon)) != {"currentColor"} or 'width="16" height="16"' not in icon:
        yield "icon.svg is not 16x16 in one colour"


if sys.argv[1] == "make":
    make(*sys.argv[2:])
else:
    found = list(problems(*sys.argv[2:]))
    print("\n".join(found), file=sys.stderr)
    sys.exit(bool(found))
