"""An MCP server with one tool that repeats what it is told, and one page. It leaves its process id in `parrot.txt`."""

import json
import os
import sys

TOOL = {
    "name": "repeat",
    "description": "Repeats words",
    "inputSchema": {"type": "object", "properties": {"words": {"type": "string"}}},
    "_meta": {"anthropic/alwaysLoad": True},
}
PAGE = {"uri": "ui://parrot/page", "name": "page", "mimeType": "text/html;profile=mcp-app"}


def answer(method, params):
    if method == "initialize":
        capabilities = {"tools": {}, "resources": {}}
        info = {"name": "parrot", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": capabilities, "serverInfo": info}
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": "again: " + params["arguments"]["words"]}]}
    if method == "resources/list":
        return {"resources": [PAGE]}
    if method == "resources/read":
        return {"contents": [{**PAGE, "text": "<p>squawk</p>"}]}
    return {}


with open("parrot.txt", "w") as file:
    print(os.getpid(), file=file)
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        result = answer(message["method"], message.get("params"))
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
