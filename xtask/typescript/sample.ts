// What a user of the declarations writes. `cargo xtask test typescript` compiles it; it is never run.

import type { Event, EventBase, FinishedEvent, ToolUseEvent } from "./events";
import type { Envelope, Input, UntaggedEnvelope } from "./wire";

export function show(event: Event): string {
  const who: string = `${event.seq} ${event.agent} ${event.turn ?? "-"}`;
  switch (event.type) {
    case "text":
      return who + event.content.trim() + (event.abandoned ? " (abandoned)" : "");
    case "tool_use":
      return who + call(event);
    case "turn_complete":
      return `${event.ok} ${event.cost_usd?.toFixed(2)} ${event.models?.["opus"]?.total_input ?? 0}`;
    case "agent_end":
      return event.status === "completed" ? "done" : event.status;
    case "finished":
      return ended(event);
    default:
      return event.type;
  }
}

function call(event: ToolUseEvent): string {
  const input: unknown = event.input;
  // @ts-expect-error: the id may be null
  const id: string = event.id;
  return `${event.name ?? "?"} ${JSON.stringify(input)} ${id}`;
}

function ended(event: FinishedEvent): string {
  // @ts-expect-error: there is no such field
  event.verdikt;
  const notes = event.notes?.map((note) => `${note.field}: ${note.reason}`) ?? [];
  return `${event.verdict} ${event.code} ${event.agents_open.length} ${notes.join()}`;
}

export function place({ message, part }: EventBase): string | null {
  // @ts-expect-error: most events are no part of a message
  const rank: number = part;
  return message == null ? null : `${message}/${rank}`;
}

export function words(line: Envelope): string[] {
  if (line.type === "system" && line.subtype === "init") {
    return [line.model ?? "?", ...(line.tools ?? [])];
  }
  if (line.type === "result") {
    return [String(line.total_cost_usd ?? 0)];
  }
  if (line.type !== "assistant" || typeof line.message?.content !== "object") {
    return [];
  }
  return (line.message.content ?? []).flatMap((block) => (block.type === "text" ? [block.text ?? ""] : []));
}

export const hello: Input = { type: "user", message: { role: "user", content: "hello" } };

export const old: UntaggedEnvelope = { role: "assistant", content: "hello", what_nobody_knows: 1 };
