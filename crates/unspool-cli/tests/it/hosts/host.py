"""What an application in Python sees through the official SDK, as one line of JSON for each thing, in order.

python host.py FOLDER SCENARIO…, with FOLDER/SCENARIO/claude as Claude Code.
"""

import asyncio
import dataclasses
import json
import os
import sys

from claude_agent_sdk import (
    ClaudeAgentOptions,
    ClaudeSDKClient,
    HookMatcher,
    PermissionResultAllow,
    PermissionResultDeny,
    ResultMessage,
    StreamEvent,
    create_sdk_mcp_server,
    query,
    tool,
)

folder, *scenarios = sys.argv[1:]
other = "HOST_DOES_OTHERWISE" in os.environ
scenario = ""


def see(kind, what):
    if dataclasses.is_dataclass(what):
        what = [type(what).__name__, dataclasses.asdict(what)]
    print(json.dumps([scenario, kind, what]), flush=True)


def options(**more):
    return ClaudeAgentOptions(
        cli_path=f"{folder}/{scenario}/claude",
        cwd=f"{folder}/work",
        setting_sources=[],
        stderr=lambda line: print(line, file=sys.stderr),
        **more,
    )


FREELY = {"permission_mode": "bypassPermissions"}


async def once(prompt, **more):
    session = None
    async for message in query(prompt=prompt, options=options(**more)):
        see("message", message)
        session = getattr(message, "session_id", session)
    return session


async def ask(client, prompt):
    await client.query(prompt)
    async for message in client.receive_response():
        see("message", message)


async def look():
    prompt = "look somewhere else" if other else "look around"
    await once(prompt, include_partial_messages=True, **FREELY)


async def turns():
    async with ClaudeSDKClient(options(**FREELY)) as client:
        await ask(client, "first of three")
        see("models", len((await client.get_server_info())["models"]) > 0)
        await ask(client, "second of three")
        await client.set_permission_mode("plan" if other else "acceptEdits")
        await ask(client, "third of three")


async def permission():
    async def may(name, given, context):
        see("asked", [name, given, context.tool_use_id])
        if given["command"] == "mkdir allowed" and not other:
            return PermissionResultAllow()
        return PermissionResultDeny(message="not this one")

    async with ClaudeSDKClient(options(can_use_tool=may)) as client:
        await ask(client, "make two folders")


def hooks():
    def answers(answer):
        async def called(given, call, context):
            see("hook", [given["hook_event_name"], given.get("tool_name"), given.get("tool_input"), call])
            return answer(given)

        return called

    def specific(given, **more):
        return {"hookSpecificOutput": {"hookEventName": given["hook_event_name"], **more}}

    def before(given):
        if other or not given["tool_input"]["command"].startswith("rm"):
            return {}
        return specific(given, permissionDecision="deny", permissionDecisionReason="not that")

    def after(given):
        return specific(given, additionalContext="It was hooked.")

    return {
        "PreToolUse": [HookMatcher(matcher="Bash", hooks=[answers(before)])],
        "PostToolUse": [HookMatcher(matcher="Bash", hooks=[answers(after)])],
        "UserPromptSubmit": [HookMatcher(hooks=[answers(lambda given: {})])],
    }


async def hook():
    async with ClaudeSDKClient(options(hooks=hooks(), **FREELY)) as client:
        await ask(client, "mind the hooks")


def servers():
    @tool("add", "Adds two numbers", {"a": float, "b": float})
    async def add(given):
        see("called", given)
        return {"content": [{"type": "text", "text": str(given["a"] + given["b"])}]}

    return {"numbers": create_sdk_mcp_server("numbers", tools=[add])}


async def mcp():
    async with ClaudeSDKClient(options(mcp_servers=servers(), **FREELY)) as client:
        await ask(client, "add two numbers")


async def ask_and_interrupt(client):
    await client.query("never come to an end")
    interrupted = None
    async for message in client.receive_response():
        see("message", message)
        is_delta = isinstance(message, StreamEvent) and message.event["type"] == "content_block_delta"
        if is_delta and interrupted is None:
            interrupted = asyncio.create_task(client.interrupt())
    await interrupted
    see("interrupted", True)


async def interrupt():
    async with ClaudeSDKClient(options(include_partial_messages=True, **FREELY)) as client:
        await ask_and_interrupt(client)
        await ask(client, "something short")


async def everything():
    async def may(name, given, context):
        see("asked", [name, given])
        return PermissionResultAllow()

    more = {"can_use_tool": may, "hooks": hooks(), "mcp_servers": servers()}
    async with ClaudeSDKClient(options(include_partial_messages=True, **more)) as client:
        await ask(client, "do a bit of all")
        await ask_and_interrupt(client)
        await ask(client, "something short")


async def resume():
    session = await once("remember the word", **FREELY)
    await once("which word was it", resume=session, **FREELY)


PLAYS = {
    "query": look,
    "turns": turns,
    "permission": permission,
    "hook": hook,
    "mcp": mcp,
    "interrupt": interrupt,
    "resume": resume,
    "all": everything,
}


async def main():
    global scenario
    for scenario in scenarios:
        try:
            await PLAYS[scenario]()
        except Exception as error:
            see("error", [type(error).__name__, str(error)])


asyncio.run(main())
