// What an application in Node sees through the official SDK, as one line of JSON for each thing, in order.
// node host.mjs SDK FOLDER SCENARIO…, with FOLDER/SCENARIO/claude as Claude Code.

const [sdk, folder, ...scenarios] = process.argv.slice(2);
const { query, createSdkMcpServer, tool } = await import(sdk);
const { z } = await import(new URL("../../zod/index.js", `file://${sdk}`));

let scenario;
const see = (kind, what) => console.log(JSON.stringify([scenario, kind, what]));
const other = process.env.HOST_DOES_OTHERWISE !== undefined;

const user = (content) => ({ type: "user", message: { role: "user", content }, parent_tool_use_id: null, session_id: "" });
const options = (more) => ({
  pathToClaudeCodeExecutable: `${folder}/${scenario}/claude`,
  cwd: `${folder}/work`,
  settingSources: [],
  stderr: (text) => process.stderr.write(text),
  ...more,
});
const freely = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true };

/** A session whose prompts come one by one, each when the result of the one before is there. */
async function session(prompts, more, during = () => {}) {
  let next;
  let wake = new Promise((resolve) => (next = resolve));
  async function* input() {
    for (;;) {
      const prompt = await wake;
      if (prompt === undefined) return;
      wake = new Promise((resolve) => (next = resolve));
      yield user(prompt);
    }
  }
  const running = query({ prompt: input(), options: options(more) });
  const left = [...prompts];
  next(left.shift());
  for await (const message of running) {
    see("message", message);
    await during(message, running);
    if (message.type === "result") next(left.shift());
  }
}

async function once(prompt, more) {
  let session;
  for await (const message of query({ prompt, options: options(more) })) {
    see("message", message);
    session = message.session_id;
  }
  return session;
}

function hooks() {
  const hook = (answer) => async (input, call) => {
    see("hook", [input.hook_event_name, input.tool_name, input.tool_input, call]);
    return answer(input);
  };
  const deny = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "not that" };
  const add = { hookEventName: "PostToolUse", additionalContext: "It was hooked." };
  const before = hook((input) => (input.tool_input.command.startsWith("rm") && !other ? { hookSpecificOutput: deny } : {}));
  return {
    PreToolUse: [{ matcher: "Bash", hooks: [before] }],
    PostToolUse: [{ matcher: "Bash", hooks: [hook(() => ({ hookSpecificOutput: add }))] }],
    UserPromptSubmit: [{ hooks: [hook(() => ({}))] }],
  };
}

function numbers() {
  const add = tool("add", "Adds two numbers", { a: z.number(), b: z.number() }, async ({ a, b }) => {
    see("called", [a, b]);
    return { content: [{ type: "text", text: String(a + b) }] };
  });
  return createSdkMcpServer({ name: "numbers", tools: [add] });
}

/** Interrupts the turn that would never end. */
function interrupts() {
  let isInterrupted = false;
  return async (message, running) => {
    if (message.event?.delta?.text !== "This takes " || isInterrupted) return;
    isInterrupted = true;
    await running.interrupt();
    see("interrupted", true);
  };
}

const plays = {
  query: () => once(other ? "look somewhere else" : "look around", { ...freely, includePartialMessages: true }),

  turns: () =>
    session(["first of three", "second of three", "third of three"], freely, async (message, running) => {
      if (message.type !== "result" || message.num_turns === undefined) return;
      if (message.result === "One.") see("models", (await running.supportedModels()).length > 0);
      if (message.result === "Two.") await running.setPermissionMode(other ? "plan" : "acceptEdits");
    }),

  permission: () =>
    session(["make two folders"], {
      canUseTool: async (name, input, { toolUseID }) => {
        see("asked", [name, input, toolUseID]);
        return input.command === "mkdir allowed" && !other
          ? { behavior: "allow", updatedInput: input }
          : { behavior: "deny", message: "not this one" };
      },
    }),

  hook: () => once("mind the hooks", { ...freely, hooks: hooks() }),

  mcp: () => session(["add two numbers"], { ...freely, mcpServers: { numbers: numbers() } }),

  interrupt: () => session(["never come to an end", "something short"], { ...freely, includePartialMessages: true }, interrupts()),

  all: () => {
    const canUseTool = async (name, input) => {
      see("asked", [name, input]);
      return { behavior: "allow", updatedInput: input };
    };
    const more = { canUseTool, hooks: hooks(), mcpServers: { numbers: numbers() }, includePartialMessages: true };
    return session(["do a bit of all", "never come to an end", "something short"], more, interrupts());
  },

  resume: async () => {
    const session = await once("remember the word", freely);
    await once("which word was it", { ...freely, resume: session });
  },
};

for (scenario of scenarios) {
  try {
    await plays[scenario]();
  } catch (error) {
    see("error", error.message);
  }
}
