"""What an application in Python does with the official client, and what it takes.

python host.py WORK COUNT, with the environment of Claude Code; prints one line of JSON.
"""

import asyncio
import json
import os
import re
import sys
import time

from claude_agent_sdk import ClaudeAgentOptions, ClaudeSDKClient, ResultMessage, SystemMessage, query
from claude_agent_sdk.types import StreamEvent

work, count = sys.argv[1], int(sys.argv[2])
options = ClaudeAgentOptions(
    cli_path=os.environ["BENCH_CLI"],
    permission_mode="bypassPermissions",
    # As all others have it; by itself this client asks for none.
    system_prompt={"type": "preset", "preset": "claude_code"},
    include_partial_messages=work == "deltas",
)


def cpu():
    return time.process_time() * 1000


def now():
    return time.perf_counter() * 1000


def memory():
    with open("/proc/self/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024


async def ask(client):
    await client.query("hello")
    async for message in client.receive_response():
        if isinstance(message, ResultMessage):
            return
    raise RuntimeError("no result")


async def one_run(told):
    begun, events = now(), 0
    async for message in query(prompt=work, options=options):
        if isinstance(message, SystemMessage) and message.subtype == "init":
            told.setdefault("first", now() - begun)
        if isinstance(message, ResultMessage):
            told.setdefault("result", now() - begun)
        events += isinstance(message, StreamEvent)
    told.update(end=now() - begun, events=events)


async def many_turns(told):
    async with ClaudeSDKClient(options) as client:
        await ask(client)
        before, told["turns"] = cpu(), []
        for _ in range(count):
            begun = now()
            await ask(client)
            told["turns"].append(now() - begun)
        told["cpu_per_turn"] = (cpu() - before) / count


async def idle(told):
    clients = [ClaudeSDKClient(options) for _ in range(count)]
    for client in clients:
        await client.connect()
        await ask(client)
    told["memory"] = memory()
    for client in clients:
        await client.disconnect()


async def main():
    told = {}
    await {"hello": one_run, "deltas": one_run, "turns": many_turns, "idle": idle}[work](told)
    told.setdefault("memory", memory())
    told["cpu"] = cpu()
    print(json.dumps(told))


asyncio.run(main())
