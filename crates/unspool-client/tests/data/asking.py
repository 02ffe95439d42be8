"""An MCP server whose only tool asks the user for a name, and says what came of it."""

import json
import sys

TOOL = {"name": "name", "description": "Asks for a name", "inputSchema": {"type": "object"}}
FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def receive():
    return json.loads(sys.stdin.readline() or sys.exit())


def ask():
    params = {"message": "Who are you?", "requestedSchema": FORM}
    send({"id": "question", "method": "elicitation/create", "params": params})
    while True:
        message = receive()
        if message.get("id") == "question":
            return json.dumps(message.get("result") or message.get("error"))


while True:
    message = receive()
    method = message.get("method")
    if method == "initialize":
        version = message["params"]["protocolVersion"]
        info = {"name": "asking", "version": "1"}
        send({"id": message["id"], "result": {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}})
    elif method == "tools/list":
        send({"id": message["id"], "result": {"tools": [TOOL]}})
    elif method == "tools/call":
        content = [{"type": "text", "text": "the answer: " + ask()}]
        send({"id": message["id"], "result": {"content": content}})
    elif "id" in message:
        send({"id": message["id"], "result": {}})
