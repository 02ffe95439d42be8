// Plays the page as a person would: a list of faults. `every` says how many moments lie between two that are looked at.
(async (every) => {
  const faults = new Set();
  const $ = (id) => document.getElementById(id);
  const must = (holds, fault) => holds || faults.add(fault);
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const until = async (holds) => { for (let i = 0; i < 200 && !holds(); i++) await wait(25); return holds(); };
  const key = (name, target = document.body) => target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  const player = $("player");
  const slider = $("moment");
  const last = Number(player.dataset.last);
  const now = () => Number($("count").textContent.match(/event (\d+)\//)[1]);
  const marked = Array.from(document.querySelectorAll("[data-n]"));
  const page = () => document.querySelector("main").innerHTML;
  const bits = () => marked.map((it) => (it.hidden ? "-" : it.classList.contains("runs") ? "r" : "+")).join("");
  const whole = page();

  must(!player.hidden && player.getBoundingClientRect().bottom <= innerHeight + 1, "the player is not at the foot of the window");
  must(now() === last && marked.every((it) => it.hidden === "u" in it.dataset), "it does not begin with the whole page");

  // What is there at a moment is what its number says, and what came of a call is not seen before its answer.
  const stands = (n) => {
    for (const it of marked) {
      const { n: comes, u, r } = it.dataset;
      const isThere = n >= Number(comes) && !(u && n >= Number(u));
      const runs = n < Number(r || 0) && Number(r) > Number(comes);
      must(it.hidden === !isThere && it.checkVisibility() <= isThere, `at ${n} it is ${isThere ? "not " : ""}there: ${it.outerHTML.slice(0, 120)}`);
      must(!r || n < Number(comes) || it.classList.contains("runs") === runs, `at ${n} it runs or not: ${it.outerHTML.slice(0, 120)}`);
      if (!isThere || !runs) continue;
      const told = it.querySelectorAll(":scope > summary :is(.badge, .took, .changed, small, .mark), :scope > .body > :not(.input, .checklist)");
      must(Array.from(told).every((part) => !part.checkVisibility()), `at ${n} its outcome is seen: ${it.outerHTML.slice(0, 120)}`);
    }
    const newest = document.querySelector("#conversation .then");
    const untold = newest && newest.matches(".runs") && newest.querySelector(":scope > summary .badge");
    must(!untold || !newest.open && !$("about").textContent.includes(` ${untold.textContent} `), `at ${n} its outcome is told: ${$("about").textContent}`);
    if (newest && newest.checkVisibility()) {
      const { top, bottom } = newest.getBoundingClientRect();
      const isTall = bottom - top > innerHeight / 2;
      must(isTall ? top < player.getBoundingClientRect().top : bottom <= player.getBoundingClientRect().top + 1 && top >= 0, `at ${n} the newest is not in sight (${top} to ${bottom})`);
    }
    must(document.documentElement.scrollWidth <= document.documentElement.clientWidth, `at ${n} it is wider than the screen`);
  };

  // From the beginning to the end and back, event by event.
  key("g");
  must(now() === 0 && !slider.matches(":focus"), "the key g does not lead to the beginning");
  const there = [bits()];
  for (let n = 1; n <= last; n++) {
    key("ArrowRight");
    must(now() === n, `the key → leads to ${now()} instead of ${n}`);
    there.push(bits());
    if (n % every === 0 || n === last) stands(n);
  }
  must(there[last] !== there[0], "nothing comes");
  key("ArrowRight");
  must($("about").textContent === "there is no more", "nobody says that there is no more");
  for (let n = last - 1; n >= 0; n--) {
    key("ArrowLeft");
    must(now() === n && bits() === there[n], `the way back is another one at ${n}`);
  }
  must(document.querySelectorAll("#conversation :is(.item, .turn, .agent):not([hidden])").length === 0, "something is there before everything");

  // The slider, and what it says of itself.
  for (const share of [0.2, 0.5, 0.9, 0.4]) {
    slider.value = Number(slider.max) * share;
    slider.dispatchEvent(new Event("input"));
    stands(now());
    must(slider.getAttribute("aria-valuetext").includes(`event ${now()}/${last}`), `the slider says ${slider.getAttribute("aria-valuetext")}`);
  }

  // Turns, agents, what went wrong; there and back.
  const numbers = (name) => player.dataset[name].split(" ").filter(Boolean).map(Number);
  for (const [there, back, list] of [["PageDown", "PageUp", numbers("turns")], ["e", "E", numbers("troubles")], ["a", "A", numbers("agents")]]) {
    key("g");
    const met = list.map(() => { key(there); return now(); });
    must(met.join() === list.join(), `${there} leads to ${met} instead of ${list}`);
    const ways = list.slice(0, -1).reverse().map(() => { key(back); return now(); }).reverse();
    must(ways.join() === list.slice(0, -1).join(), `${back} leads to ${ways} instead of ${list.slice(0, -1)}`);
  }
  key("G");
  key("e");
  must($("about").textContent === "nothing more went wrong", "nobody says that nothing more went wrong");
  must(now() === last, "looking for trouble in vain leads elsewhere");

  // The address keeps the moment.
  key("g");
  for (let i = 0; i < Math.ceil(last / 2); i++) key("ArrowRight");
  const [half, seen] = [now(), bits()];
  await wait(300);
  const hash = location.hash;
  must(/^#[te]=[0-9.]+$/.test(hash), `the address says ${hash}`);
  key("G");
  await wait(300);
  location.hash = hash;
  await wait(100);
  must(now() === half && bits() === seen, `${hash} leads to ${now()} instead of ${half}`);

  // A link to what comes later leads to when it came.
  key("g");
  key("ArrowRight");
  const link = Array.from(document.querySelectorAll("svg a[href^='#i']")).find((it) => {
    const target = $(it.getAttribute("href").slice(1));
    return target.hidden;
  });
  if (link) {
    link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    await wait(100);
    const target = $(link.getAttribute("href").slice(1));
    must(!target.hidden && now() >= Number(target.dataset.n), "a link to what comes later leads nowhere");
  }

  // A hit of the search that comes later does so, too.
  const late = Array.from(document.querySelectorAll("#conversation .item")).filter((it) => !it.closest(".folded")).pop();
  const word = late && late.textContent.match(/[A-Za-z]{4,}/);
  if (word) {
    key("g");
    $("find").value = word[0];
    $("find").dispatchEvent(new Event("input"));
    await wait(150);
    const hit = document.querySelector(".here");
    must(hit && hit.checkVisibility() && now() > 0, `the search does not lead to ${word[0]}`);
    $("find").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  }

  // It plays by itself to its end, pauses, and goes on.
  key("g");
  $("speed").selectedIndex = $("speed").options.length - 1;
  $("speed").dispatchEvent(new Event("change"));
  key(" ");
  must(player.classList.contains("plays") && $("play").getAttribute("aria-label") === "Pause", "space does not play");
  key(" ");
  must(!player.classList.contains("plays"), "space does not pause");
  $("play").click();
  must(await until(() => now() === last && !player.classList.contains("plays")), `it plays to ${now()} of ${last}`);
  key("-");
  must($("speed").value === "100x", "the key - is not slower");

  // Help, and keys that are not ours where somebody types.
  key("?");
  must($("keys").open, "there is no help");
  key("g");
  must(now() === last, "keys go on behind the help");
  $("keys-close").click();
  must(!$("keys").open, "the help stays");
  key("g", $("find"));
  must(now() === last, "what is typed into the search moves the slider");

  // What can be pressed is large enough for a thumb.
  if (innerWidth < 600) {
    for (const it of player.querySelectorAll("button, select")) {
      if (!it.checkVisibility({ visibilityProperty: true })) continue;
      const { width, height, right } = it.getBoundingClientRect();
      must(width >= 44 && height >= 44 && right <= innerWidth, `too small for a thumb: ${it.id} ${width} x ${height} to ${right}`);
    }
    must(player.getBoundingClientRect().height < innerHeight / 4, `the player is ${player.getBoundingClientRect().height} high`);
  }

  // Paper has the whole page, and the player is where it was afterwards.
  key("g");
  key("ArrowRight");
  window.dispatchEvent(new Event("beforeprint"));
  must(marked.every((it) => it.hidden === "u" in it.dataset), "what is printed is not whole");
  window.dispatchEvent(new Event("afterprint"));
  must(now() === 1, "the moment is lost by printing");

  // And then it is the page that it was.
  key("q");
  for (const it of document.querySelectorAll(".here")) it.classList.remove("here");
  for (const it of document.querySelectorAll("[class='']")) it.removeAttribute("class");
  const [is, was] = [page(), whole].map((html) => html.replace(/ open=""/g, ""));
  const at = Array.from(is).findIndex((letter, rank) => letter !== was[rank]);
  must(is === was, `the page is not what it was: ${is.slice(at - 80, at + 40)}`);
  await wait(300);
  must(location.hash === "", `the address still says ${location.hash}`);
  return Array.from(faults).slice(0, 20);
})
