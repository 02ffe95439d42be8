// What the official SDK says of the sessions of a folder, as one JSON object: `node sdk.mjs MODULE FOLDER SESSION AGENT WORKTREE`.
const [module, dir, session, agent, worktree] = process.argv.slice(2);
const sdk = await import(module);
const ids = (messages) => messages.map((it) => [it.type, it.uuid, it.parent_tool_use_id, it.parent_agent_id]);
const rows = (list) => list.map((it) => [it.sessionId, it.customTitle ?? null, it.firstPrompt ?? null, it.tag ?? null]);

const store = new sdk.InMemorySessionStore();
await sdk.importSessionToStore(session, store, { dir });
const stored = { dir, sessionStore: store };
const fork = await sdk.forkSession(session, stored);
const named = await sdk.forkSession(session, { ...stored, title: "Named" });
const info = async (id) => rows([await sdk.getSessionInfo(id, stored)])[0].slice(1);
const [byHand] = await sdk.listSessions({ dir: worktree, includeWorktrees: false });

console.log(JSON.stringify({
  messages: ids(await sdk.getSessionMessages(session, { dir })),
  page: ids(await sdk.getSessionMessages(session, { dir, offset: 1, limit: 2 })),
  system: ids(await sdk.getSessionMessages(session, { dir, includeSystemMessages: true })),
  agents: await sdk.listSubagents(session, { dir }),
  agent: ids(await sdk.getSubagentMessages(session, agent, { dir })),
  sessions: rows(await sdk.listSessions({ dir })),
  second: rows(await sdk.listSessions({ dir, offset: 1, limit: 1 })),
  worktrees: rows(await sdk.listSessions({ dir: worktree })),
  by_hand: ids(await sdk.getSessionMessages(byHand.sessionId, { dir: worktree })),
  by_hand_system: ids(await sdk.getSessionMessages(byHand.sessionId, { dir: worktree, includeSystemMessages: true })),
  alone: rows(await sdk.listSessions({ dir: worktree, includeWorktrees: false })),
  fork: await info(fork.sessionId),
  named: await info(named.sessionId),
  forked: ids(await sdk.getSessionMessages(fork.sessionId, stored)).map(([type]) => type),
  stored: ids(await sdk.getSessionMessages(session, stored)),
}));
