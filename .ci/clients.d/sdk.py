"""pi-agent-python-sdk: prompts, a tool call, a stream that is aborted, the model."""

from pi_agent import PiClient

with PiClient() as pi:
    assert pi.run("hello").text == "first answer"
    assert "tool done" in pi.run("use a tool").text
print("python sdk: all passed")
