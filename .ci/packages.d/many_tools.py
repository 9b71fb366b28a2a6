"""An MCP server of FastMCP with 200 tools."""
from fastmcp import FastMCP

server = FastMCP("many")


def adder(number):
    def add(x: int) -> int:
        return x + number

    return add


for number in range(200):
    server.tool(adder(number), name=f"add_{number}", description=f"Adds {number} to a number.")
server.run(show_banner=False)
