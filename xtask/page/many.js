// What a move of the slider costs on a page of very many events: how much of the page it touches, and how long it takes.
(async () => {
  const slider = document.getElementById("moment");
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  let touched = 0;
  const watch = new MutationObserver((records) => { touched += records.length; });
  watch.observe(document.body, { subtree: true, childList: true, attributes: true });
  const timed = async (move) => {
    const begun = performance.now();
    move();
    document.body.getBoundingClientRect();
    const ms = performance.now() - begun;
    await frame();
    const records = touched + watch.takeRecords().length;
    touched = 0;
    return { ms, records };
  };
  const key = (name) => () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
  const slide = (share) => () => {
    slider.value = Number(slider.max) * share;
    slider.dispatchEvent(new Event("input"));
  };
  const middle = (list) => list.sort((one, other) => one - other)[list.length >> 1];
  const measure = async (moves) => {
    const seen = [];
    for (const move of moves) seen.push(await timed(move));
    return { ms: middle(seen.map((it) => it.ms)), records: Math.max(...seen.map((it) => it.records)) };
  };
  await timed(slide(0.5));
  const shares = Array.from({ length: 12 }, (_, rank) => rank / 12);
  return {
    last: Number(document.getElementById("player").dataset.last),
    event: await measure(Array(10).fill([key("ArrowRight"), key("ArrowLeft")]).flat()),
    drag: await measure(shares.map((share) => slide(0.5 + share / 50))),
    jump: await measure(shares.map((share) => slide((share * 5) % 1))),
  };
})()
