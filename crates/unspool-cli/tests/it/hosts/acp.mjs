// What a client of ACP sees of a turn through the adapter from npm, as one line of JSON for each thing, in order.
// node acp.mjs ADAPTER FOLDER, with the environment that names Claude Code.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [adapter, folder] = process.argv.slice(2);
const see = (kind, what) => console.log(JSON.stringify([kind, what]));

const agent = spawn(process.execPath, [adapter], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
const write = (message) => agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const waiting = new Map();
let last = 0;
const call = (method, params) => {
  write({ id: ++last, method, params });
  return new Promise((resolve, reject) => waiting.set(last, { resolve, reject }));
};

createInterface({ input: agent.stdout }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.method === "session/request_permission") {
    see("asked", message.params.toolCall);
    const allow = message.params.options.find((option) => option.kind === "allow_once");
    write({ id: message.id, result: { outcome: { outcome: "selected", optionId: allow.optionId } } });
  } else if (message.method && message.id !== undefined) {
    write({ id: message.id, error: { code: -32601, message: "not here" } });
  } else if (message.method) {
    see("told", message.params.update ?? message.params);
  } else {
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    message.error ? reject(new Error(JSON.stringify(message.error))) : resolve(message.result);
  }
});

try {
  await call("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await call("session/new", { cwd: folder, mcpServers: [] });
  see("session", sessionId);
  see("ended", await call("session/prompt", { sessionId, prompt: [{ type: "text", text: "make two folders" }] }));
} catch (error) {
  see("error", error.message);
}
agent.stdin.end();
