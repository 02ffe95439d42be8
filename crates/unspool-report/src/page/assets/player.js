
// The player: the session as it stood at any moment. It shows and hides what is in the page by the numbers that stand there:
// `data-n` the moment an element comes with, `data-u` the one it goes with, `data-r` the one it is seen with what came of it.
(() => {
  const $ = (id) => document.getElementById(id);
  const root = document.documentElement;
  const player = $("player");
  if (!player) return;
  const numbers = (name) => (player.dataset[name] || "").split(" ").filter(Boolean).map(Number);
  const LAST = Number(player.dataset.last);
  const WAIT = 3000;
  const EVENLY = 500;
  const SPEEDS = Array.from($("speed").options).map((it) => parseFloat(it.value));
  const turns = numbers("turns");
  const troubles = numbers("troubles");
  const floors = numbers("agents");

  // When each moment was; at 0 nothing was.
  const isTimed = "times" in player.dataset;
  const times = [0];
  for (const step of numbers("times")) times.push(times[times.length - 1] + step);
  if (!isTimed) for (let n = 1; n <= LAST; n++) times.push((n - 1) * EVENLY);

  // Where each moment stands on the slider: by its time, where waits that are too long may be cut.
  let skips = true;
  let axis = [];
  const measure = () => {
    axis = [0];
    for (let n = 1; n <= LAST; n++) {
      const wait = times[n] - times[n - 1];
      axis.push(axis[n - 1] + (skips && isTimed ? Math.min(wait, WAIT) : wait));
    }
  };
  const length = () => Math.max(axis[LAST], 1);
  // How many of a rising list are not above a value.
  const upTo = (list, value) => {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle] <= value) low = middle + 1; else high = middle;
    }
    return low;
  };
  const momentAt = (at) => Math.max(upTo(axis, at) - 1, 0);
  // The time on the clock of a place on the slider.
  const timeAt = (at) => {
    const n = momentAt(at);
    if (n >= LAST || axis[n + 1] === axis[n]) return times[n];
    return times[n] + (times[n + 1] - times[n]) * (at - axis[n]) / (axis[n + 1] - axis[n]);
  };

  // What changes with which moment, in order. All of it has happened as the page comes.
  const [COMES, GOES, ENDS] = [0, 1, 2];
  const changes = [];
  for (const element of document.querySelectorAll("[data-n]")) {
    const { n, u, r } = element.dataset;
    if (n > 0) changes.push({ at: Number(n), kind: COMES, element });
    if (u) changes.push({ at: Number(u), kind: GOES, element });
    if (Number(r) > Number(n)) changes.push({ at: Number(r), kind: ENDS, element, isOpen: element.open });
  }
  changes.sort((one, other) => one.at - other.at);
  const places = changes.map((it) => it.at);
  let done = changes.length;
  const happen = ({ kind, element, isOpen }, has) => {
    if (kind === COMES) element.hidden = !has;
    else if (kind === GOES) element.hidden = has;
    else element.classList.toggle("runs", !has);
    // What failed is open: that must not be told before.
    if (kind === ENDS && element.matches(".call")) element.open = has && (isOpen || element.open);
  };
  const change = (n) => {
    while (done < changes.length && places[done] <= n) happen(changes[done++], true);
    while (done > 0 && places[done - 1] > n) happen(changes[--done], false);
  };

  // The whole page has the answer at its top. As it stood, it is where it was said.
  const answer = document.querySelector("#answer > .item");
  const moved = document.querySelector("#conversation .moved");
  const behind = answer && answer.nextSibling;
  const put = (there) => {
    if (answer && moved) (there ? moved : behind).before(answer);
  };

  let isWhole = true;
  let isPlaying = false;
  let now = LAST;
  let at = 0;
  let speed = 1;
  let follows = true;
  let opened = [];
  let marked = null;

  // What a moment is about: what came with it, else what ended with it.
  const subject = (n) => {
    const from = upTo(places, n - 1);
    let found = null;
    for (let i = from; i < changes.length && places[i] === n; i++) {
      const { kind, element } = changes[i];
      if (kind === GOES || !element.matches(".item, .turn, .agent, .asked, .moved") || !element.closest("#conversation")) continue;
      // What is folded came with it by chance, unless it is a line that nobody has described.
      if (element.closest(".folded") && !element.matches(".unknown")) continue;
      if (!found || found.kind >= kind) found = changes[i];
    }
    return found && found.element;
  };
  const text = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    const isUntold = node.hidden || (node.matches(".badge, small") && node.closest(".runs > summary"));
    return isUntold ? "" : Array.from(node.childNodes, text).join("");
  };
  const words = (element) => {
    if (!element) return "";
    const line = element.querySelector(":scope > summary > .line") || element.querySelector(":scope > summary, :scope > .who + .words") || element;
    const mark = element.matches(".call:not(.runs)") ? (element.matches(".bad") ? "✗ " : "✓ ") : "";
    return mark + text(line).trim().replace(/\s+/g, " ").slice(0, 160);
  };

  const clock = (ms) => {
    const seconds = Math.floor(ms / 1000);
    const two = (number) => String(number).padStart(2, "0");
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  };
  const facts = () => {
    const turn = turns.length > 1 ? `turn ${upTo(turns, now)}/${turns.length} · ` : "";
    return `${turn}event ${now}/${LAST}`;
  };
  const verdict = document.querySelector("header .verdict:not([data-u])");
  const chart = document.querySelector(".chart");
  const later = Array.from(document.querySelectorAll(".later"));
  const draw = () => {
    $("moment").value = at;
    $("clock").textContent = isTimed ? `${clock(timeAt(at))} / ${clock(times[LAST])}` : "no times";
    const share = at / length();
    $("course").querySelector(".past").setAttribute("d", `M0 0h${1000 * share}v20H0z`);
    if (chart && "length" in chart.dataset) {
      const passed = isWhole ? 1 : (timeAt(at) - Number(chart.dataset.begin)) / Math.max(Number(chart.dataset.length), 1);
      const x = now === LAST ? 1000 : Math.min(Math.max(passed, 0), 1) * 1000;
      later.forEach((it) => it.setAttribute("x", x));
    }
  };
  const tell = (hint) => {
    $("count").textContent = facts();
    const said = now === LAST && verdict ? text(verdict) : words(marked);
    $("about").textContent = hint || (isWhole ? "Play it, or move the slider" : said);
    if (!isPlaying) $("moment").setAttribute("aria-valuetext", `${isTimed ? `${clock(timeAt(at))} of ${clock(times[LAST])}, ` : ""}${facts()}`);
  };

  // The newest is in sight, unless somebody looks elsewhere.
  const sight = (isQuick) => {
    if (!marked || !follows) return;
    for (let it = marked.parentElement; it; it = it.parentElement) {
      if (it.matches("details.agent:not([open])")) { it.open = true; opened.push(it); }
    }
    const shown = marked.closest(".folded") || marked;
    shown.scrollIntoView({ block: "nearest", behavior: isQuick ? "instant" : "auto" });
  };
  const mark = (element) => {
    if (marked) marked.classList.remove("then");
    marked = element;
    if (marked) marked.classList.add("then");
  };

  const show = (n, isQuick) => {
    if (isWhole) {
      isWhole = false;
      root.classList.add("as-it-stood");
      put(true);
      $("whole").hidden = false;
      document.querySelectorAll(".here").forEach((it) => it.classList.remove("here"));
    }
    now = n;
    change(n);
    let last = n;
    let element = subject(n);
    while (!element && last > 1) element = subject(--last);
    mark(n > 0 ? element : null);
    if (n === 0 && follows) window.scrollTo({ top: 0, behavior: "instant" });
    sight(isQuick);
  };

  // The address keeps the moment, so that a link leads to it.
  let writing = 0;
  const keep = () => {
    clearTimeout(writing);
    writing = setTimeout(() => {
      const seconds = times[now] / 1000;
      const byTime = isTimed && upTo(times, seconds * 1000) - 1 === now;
      const hash = isWhole ? "" : byTime ? `#t=${seconds}` : `#e=${now}`;
      try { history.replaceState(history.state, "", location.pathname + location.search + hash); } catch { /* it is not kept, no more */ }
    }, 200);
  };
  const kept = () => {
    const [, name, value] = location.hash.match(/^#([te])=([0-9:.]+)$/) || [];
    if (!name) return null;
    const number = value.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
    if (!Number.isFinite(number)) return null;
    return name === "e" || !isTimed ? Math.min(Math.round(number), LAST) : Math.max(upTo(times, Math.round(number * 1000)) - 1, 0);
  };

  const go = (n, hint) => {
    follows = true;
    at = axis[n];
    show(n, true);
    draw();
    tell(hint);
    keep();
  };
  const stay = () => {
    if (!isPlaying) return;
    isPlaying = false;
    player.classList.remove("plays");
    $("play").setAttribute("aria-label", "Play");
    $("about").removeAttribute("aria-live");
    tell();
    keep();
  };
  let before = 0;
  const tick = (wall) => {
    if (!isPlaying) return;
    at = Math.min(at + Math.max(wall - before, 0) * speed, length());
    before = wall;
    const n = momentAt(at);
    const isOver = n >= LAST;
    if (n !== now) {
      show(n, speed > 2);
      tell();
    }
    draw();
    if (isOver) return stay();
    requestAnimationFrame(tick);
  };
  const play = () => {
    if (isPlaying) return stay();
    if (now >= LAST) go(0);
    follows = true;
    isPlaying = true;
    player.classList.add("plays");
    $("play").setAttribute("aria-label", "Pause");
    // Nobody can listen to what changes all the time.
    $("about").setAttribute("aria-live", "off");
    requestAnimationFrame((wall) => { before = wall; tick(wall); });
  };
  const leave = () => {
    stay();
    if (isWhole) return;
    opened.forEach((it) => { it.open = false; });
    opened = [];
    mark(null);
    isWhole = true;
    now = LAST;
    at = axis[LAST];
    change(LAST);
    put(false);
    root.classList.remove("as-it-stood");
    $("whole").hidden = true;
    draw();
    tell();
    keep();
  };

  // Goes to the next or the last before of these moments, and stays there.
  const step = (list, by, none) => {
    stay();
    const n = by > 0 ? list[upTo(list, now)] : list[upTo(list, now - 1) - 1];
    if (n !== undefined) go(n); else tell(none);
  };
  const steps = {
    "event-on": () => { stay(); if (now < LAST) go(now + 1); else tell("there is no more"); },
    "event-back": () => { stay(); go(Math.max(now - 1, 0)); },
    "turn-on": () => go(turns[upTo(turns, now)] || LAST),
    "turn-back": () => go(turns[upTo(turns, now - 1) - 1] || 0),
    "agent-on": () => step(floors, 1, "no other agent goes on"),
    "agent-back": () => {
      stay();
      const floor = floors[upTo(floors, now) - 2];
      if (floor) go(floor); else tell("no other agent was before");
    },
    "trouble-on": () => step(troubles, 1, "nothing more went wrong"),
    "trouble-back": () => step(troubles, -1, "nothing went wrong before"),
    "begin": () => go(0),
    "end": () => go(LAST),
    "play": play,
    "whole": leave,
    "help": () => $("keys").showModal(),
  };
  for (const name of ["event-on", "event-back", "turn-on", "turn-back", "agent-on", "trouble-on", "play", "whole", "help"]) {
    $(name).addEventListener("click", steps[name]);
  }
  $("keys-close").addEventListener("click", () => $("keys").close());
  $("moment").addEventListener("input", () => {
    follows = true;
    at = Number($("moment").value);
    show(at > 0 ? momentAt(at) : 0, true);
    draw();
    tell();
    keep();
  });

  const hurry = (by) => {
    const rank = SPEEDS.indexOf(speed) + by;
    if (rank in SPEEDS) $("speed").selectedIndex = rank;
    speed = SPEEDS[$("speed").selectedIndex];
    tell(`${speed}x`);
  };
  $("speed").addEventListener("change", () => { speed = SPEEDS[$("speed").selectedIndex]; });
  $("waits").addEventListener("click", () => {
    skips = !skips;
    $("waits").setAttribute("aria-pressed", skips);
    scale();
  });

  // How much happened when, by shares of the slider; where turns begin, and what went wrong.
  const BARS = 150;
  const scale = () => {
    measure();
    at = axis[now];
    $("moment").max = length();
    const bars = new Array(BARS).fill(0);
    const share = (n) => axis[n] / length();
    for (let n = 1; n <= LAST; n++) bars[Math.min(Math.floor(share(n) * BARS), BARS - 1)]++;
    const most = Math.sqrt(Math.max(...bars));
    const wide = 1000 / BARS;
    const bar = (count, rank) => {
      const high = (16 * Math.sqrt(count) / most).toFixed(1);
      return count ? `M${(rank * wide).toFixed(1)} 20v-${high}h${(wide * 0.7).toFixed(1)}v${high}z` : "";
    };
    const lines = (list, width, from) => Array.from(new Set(list.map((n) => Math.round(share(n) * (1000 - width)))))
      .map((x) => `M${x} ${from}h${width}v${20 - from}h-${width}z`).join("");
    const set = (name, d) => $("course").querySelector(name).setAttribute("d", d);
    set(".density", bars.map(bar).join(""));
    set(".turns", turns.length > 1 ? lines(turns, 1, 0) : "");
    set(".troubles", lines(troubles, 3, 0));
    draw();
  };

  const lookAway = () => { if (isPlaying) follows = false; };
  // Keys that do something by themselves where they are pressed do that.
  const KEYS = {
    " ": "play", "ArrowRight": "event-on", "ArrowLeft": "event-back", "PageDown": "turn-on", "PageUp": "turn-back",
    "a": "agent-on", "A": "agent-back", "e": "trouble-on", "E": "trouble-back", "g": "begin", "G": "end",
    "Home": "begin", "End": "end", "h": "event-back", "l": "event-on", "?": "help", "q": "whole",
  };
  const SCROLLS = ["PageDown", "PageUp", "Home", "End"];
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || $("keys").open) return;
    const isSlider = target === $("moment");
    if (!isSlider && target.matches && target.matches("input, textarea, select")) return;
    if (key === " " && target.closest && target.closest("button, summary, a")) return;
    if (key.startsWith("Arrow") && target.closest && target.closest("pre, .diff")) return;
    // Whoever reads the whole page wants to scroll.
    if (isWhole && SCROLLS.includes(key) && !player.contains(target)) return;
    if (key === "+" || key === "=") hurry(1);
    else if (key === "-" || key === "_") hurry(-1);
    else if (isSlider && (key === "ArrowUp" || key === "ArrowDown")) steps[key === "ArrowUp" ? "event-on" : "event-back"]();
    else if (KEYS[key]) steps[KEYS[key]]();
    else {
      if (key === "ArrowUp" || key === "ArrowDown") lookAway();
      return;
    }
    event.preventDefault();
  });

  // Whoever scrolls looks elsewhere, until the newest is in sight again.
  window.addEventListener("wheel", lookAway, { passive: true });
  window.addEventListener("touchmove", (event) => { if (!player.contains(event.target)) lookAway(); }, { passive: true });
  window.addEventListener("scroll", () => {
    if (follows || !marked) return;
    const { top, bottom } = marked.getBoundingClientRect();
    follows = bottom <= player.getBoundingClientRect().top && top >= 0;
  }, { passive: true });

  // A link to what has not come yet goes to the moment when it came.
  const comeTo = (target) => {
    let n = 0;
    for (let it = target; it && !isWhole; it = it.parentElement) if (it.hidden && it.dataset.n) n = Math.max(n, Number(it.dataset.n));
    if (!n) return false;
    stay();
    go(n);
    return true;
  };
  const linked = (hash) => (hash === "#answer" ? answer || $("answer") : $(hash.slice(1)));
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[href^='#']");
    if (link) comeTo(linked(link.getAttribute("href")));
  }, true);
  const follow = () => {
    const n = kept();
    if (n !== null) {
      stay();
      go(n);
    } else {
      const target = linked(location.hash);
      if (target && comeTo(target)) target.scrollIntoView({ block: "start" });
    }
  };
  window.addEventListener("hashchange", follow);
  // A hit of the search that has not come yet does so, too.
  new MutationObserver(() => {
    const hit = $("hits").textContent && document.querySelector(".here");
    if (hit && comeTo(hit)) hit.scrollIntoView({ block: "start" });
  }).observe($("hits"), { childList: true });

  // Paper shows the whole page.
  let printed = null;
  window.addEventListener("beforeprint", () => {
    printed = isWhole ? null : { now, at };
    leave();
  });
  window.addEventListener("afterprint", () => {
    if (!printed) return;
    at = printed.at;
    follows = false;
    show(printed.now, true);
    draw();
    tell();
    keep();
  });

  if (!isTimed) {
    $("waits").hidden = true;
    $("untimed").hidden = false;
  }
  scale();
  tell();
  player.hidden = false;
  if (kept() !== null) follow();
})();
