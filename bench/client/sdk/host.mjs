// What an application in Node does with the official client, and what it takes.
// node host.mjs SDK WORK COUNT, with the environment of Claude Code; prints one line of JSON.

import { readFileSync } from "node:fs";

const [sdk, work, count] = [process.argv[2], process.argv[3], Number(process.argv[4])];
const { query } = await import(sdk);

const options = {
  pathToClaudeCodeExecutable: process.env.BENCH_CLI,
  permissionMode: "bypassPermissions",
  allowDangerouslySkipPermissions: true,
  // As all others have it; by itself this client asks for none.
  systemPrompt: { type: "preset", preset: "claude_code" },
  includePartialMessages: work === "deltas",
};
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024;

/** A session whose prompts come one by one. */
function session() {
  let next;
  let wake = new Promise((resolve) => (next = resolve));
  async function* prompts() {
    for (;;) {
      const prompt = await wake;
      if (prompt === null) return;
      wake = new Promise((resolve) => (next = resolve));
      yield { type: "user", message: { role: "user", content: prompt }, parent_tool_use_id: null, session_id: "" };
    }
  }
  const messages = query({ prompt: prompts(), options })[Symbol.asyncIterator]();
  return {
    async ask(prompt) {
      next(prompt);
      for (;;) {
        const { value, done } = await messages.next();
        if (done) throw new Error("no result");
        if (value.type === "result") return value;
      }
    },
    async end() {
      next(null);
      while (!(await messages.next()).done);
    },
  };
}

const told = {};
if (work === "hello" || work === "deltas") {
  const begun = performance.now();
  let first;
  let result;
  let events = 0;
  for await (const message of query({ prompt: work, options })) {
    first ??= message.subtype === "init" ? performance.now() - begun : undefined;
    result ??= message.type === "result" ? performance.now() - begun : undefined;
    events += message.type === "stream_event" ? 1 : 0;
  }
  Object.assign(told, { first, result, end: performance.now() - begun, events });
} else if (work === "turns") {
  const it = session();
  await it.ask("hello");
  const before = cpu();
  told.turns = [];
  for (let turn = 0; turn < count; turn++) {
    const begun = performance.now();
    await it.ask("hello");
    told.turns.push(performance.now() - begun);
  }
  told.cpu_per_turn = (cpu() - before) / count;
  await it.end();
} else if (work === "idle") {
  const all = [];
  for (let number = 0; number < count; number++) {
    all.push(session());
    await all.at(-1).ask("hello");
  }
  told.memory = memory();
  await Promise.all(all.map((it) => it.end()));
}
told.memory ??= memory();
told.cpu = cpu();
console.log(JSON.stringify(told));
