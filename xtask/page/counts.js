// What the page shows, by number.
(() => {
  const number = (selector) => document.querySelectorAll(selector).length;
  return {
    tool_use: number(".call[id]") - [...document.querySelectorAll(".call > summary")]
      .filter((it) => it.textContent.includes("whose call is not in the stream")).length,
    thinking: number(".thinking"),
    agent_start: number(".agent .agent"),
    turn_start: number(".turn"),
    error: number(".error"),
    unknown: number(".unknown"),
    malformed: number(".malformed"),
  };
})()
