"""Runs a client in a home of its own beside a scripted model: world.py CONFORMANCE BIN_DIR COMMAND...

`pi` of BIN_DIR is first on the path. The client's exit code is ours.
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
shared, bin_dir, *command = sys.argv[1:]
sys.path.insert(0, shared)

import dsl  # noqa: E402
from harness import Runner, Workspace  # noqa: E402
from mock_provider import MockProvider  # noqa: E402

# What the Emacs client's tests say to small models begins so; their answers take a while, so that a test can step in.
SLOW = {"match": {"body": "/no_think", "not_body": "Count from"}, "times": 20}
REPLIES = [
    {**dsl.call("read", {"path": "/tmp/fake-tool.txt"}, id="t2"), "match": {"body": "Use the read tool", "not_body": "tool_result"}, "times": 4},
    {**dsl.call("bash", {"command": "echo from-tool"}, id="t1"), "match": {"body": "use a tool", "not_body": "tool_result"}, "times": 4},
    {**dsl.say("tool done"), "match": {"body": "tool_result", "not_body": "endless"}, "times": 4},
    {**dsl.blocks({"text": ["endless", {"hang": True}]}), "match": {"body": "endless"}, "times": 4},
    {**dsl.blocks({"text": ["1", {"hang": True}]}), "match": {"body": "Count from"}, "times": 4},
    {**dsl.blocks({"text": ["first ", {"sleep_ms": 1500}, "answer"]}), **SLOW},
    {**dsl.say(["first ", "answer"]), "times": 20},
]


async def main() -> int:
    ws = Workspace(Path(tempfile.gettempdir()))
    mock = MockProvider([{"api": "anthropic", **reply} for reply in REPLIES])
    runner = Runner(["pi"], path=[bin_dir, os.path.dirname(os.path.abspath(command[0]))])
    try:
        await mock.start()
        ws.vars["URL"] = f"http://127.0.0.1:{mock.port}"
        ws.write("agent/models.json", {"json": dsl.models()})
        ws.write("agent/settings.json", {"json": {**dsl.FAST_RETRY, "defaultProvider": "ant", "defaultModel": "ant-think"}})
        env = {**runner.environment(ws, {}), "CLIENT_CWD": str(ws.dirs["WORK"])}
        client = await asyncio.create_subprocess_exec(*[os.path.abspath(part) if os.path.exists(part) else part for part in command], cwd=ws.dirs["WORK"], env=env)
        return await asyncio.wait_for(client.wait(), 120)
    except asyncio.TimeoutError:
        client.kill()
        print("the client hangs")
        return 1
    finally:
        await mock.stop()
        runner.close()
        ws.remove()


sys.exit(asyncio.run(main()))
