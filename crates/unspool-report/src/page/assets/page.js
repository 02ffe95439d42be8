"use strict";
// Search, the switches, and links into what is closed. The page can be read without any of it.
(() => {
  const $ = (id) => document.getElementById(id);
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const root = document.documentElement;
  const highlights = window.CSS && CSS.highlights;
  const MARKED = 2000;

  // Light or dark: as the system has it, until somebody chooses.
  const remembered = () => {
    try { return localStorage.getItem("unspool-theme"); } catch { return null; }
  };
  const choose = (theme) => {
    root.dataset.theme = theme;
    try { localStorage.setItem("unspool-theme", theme); } catch { /* it is forgotten, no more */ }
  };
  const isDark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  if (["light", "dark"].includes(remembered())) root.dataset.theme = remembered();
  $("theme").addEventListener("click", () => choose(isDark() ? "light" : "dark"));

  // A link opens what it leads to.
  const reveal = (target) => {
    if (!target) return;
    for (let it = target; it; it = it.parentElement) if (it.tagName === "DETAILS") it.open = true;
    target.scrollIntoView({ block: "start" });
    all(".here").forEach((it) => it.classList.remove("here"));
    target.classList.add("here");
  };
  const follow = () => reveal($(location.hash.slice(1)));
  window.addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[href^='#']");
    // The same link twice changes no address.
    if (link && link.getAttribute("href") === location.hash) follow();
  });

  const details = () => all("main details");
  $("open").addEventListener("click", () => details().forEach((it) => { it.open = true; }));
  $("shut").addEventListener("click", () => details().forEach((it) => { it.open = false; }));

  // Paper cannot be clicked on.
  let shut = [];
  window.addEventListener("beforeprint", () => {
    shut = details().filter((it) => !it.open);
    shut.forEach((it) => { it.open = true; });
  });
  window.addEventListener("afterprint", () => shut.forEach((it) => { it.open = false; }));

  // Search: items that do not have the words are hidden, those that have them are opened, and the first is shown.
  let items = null;
  let opened = [];
  let found = [];
  let at = -1;

  const gather = () => all("main .item").map((element) => ({
    element,
    text: element.textContent.toLowerCase(),
    around: around(element),
  }));
  const around = (element) => {
    const list = [];
    for (let it = element.parentElement; it && it.id !== "conversation"; it = it.parentElement) {
      if (it.tagName === "DETAILS") list.push(it);
    }
    return list;
  };
  const show = (element) => {
    if (element.tagName === "DETAILS" && !element.open) {
      element.open = true;
      opened.push(element);
    }
  };
  const mark = (words) => {
    if (!highlights) return;
    const ranges = [];
    for (const { element } of found) {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node && ranges.length < MARKED; node = walker.nextNode()) {
        const text = node.data.toLowerCase();
        // Some letters have more than one small letter: then places would not fit.
        if (text.length !== node.data.length) continue;
        for (let i = text.indexOf(words); i >= 0 && ranges.length < MARKED; i = text.indexOf(words, i + words.length)) {
          const range = new Range();
          range.setStart(node, i);
          range.setEnd(node, i + words.length);
          ranges.push(range);
        }
      }
    }
    highlights.set("found", new Highlight(...ranges));
  };
  const search = () => {
    const words = $("find").value.trim().toLowerCase();
    opened.forEach((it) => { it.open = false; });
    opened = [];
    found = [];
    at = -1;
    all(".keep").forEach((it) => it.classList.remove("keep"));
    if (highlights) highlights.clear();
    root.classList.toggle("searching", words !== "");
    if (words) {
      items = items || gather();
      found = items.filter((item) => item.text.includes(words));
      for (const item of found) {
        item.element.classList.add("keep");
        show(item.element);
        item.around.forEach((it) => { it.classList.add("keep"); show(it); });
      }
      mark(words);
    }
    $("hits").textContent = words ? "nothing found" : "";
    $("hits").classList.toggle("none", words !== "" && found.length === 0);
    $("next").disabled = $("before").disabled = found.length === 0;
    step(1);
  };
  const step = (by) => {
    if (!found.length) return;
    at = (at + by + found.length) % found.length;
    reveal(found[at].element);
    $("hits").textContent = `${at + 1} of ${found.length}`;
  };
  let waiting = 0;
  $("find").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, 80);
  });
  $("find").addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      $("find").value = "";
      search();
      $("find").blur();
    }
  });
  $("next").addEventListener("click", () => step(1));
  $("before").addEventListener("click", () => step(-1));
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      $("find").focus();
      $("find").select();
    }
  });

  // The turn that is being read is marked in the contents.
  const places = new Map(all(".turns > li > a").map((link) => [link.hash.slice(1), link]));
  const watch = new IntersectionObserver((seen) => {
    const turn = seen.filter((it) => it.isIntersecting).map((it) => it.target).pop();
    if (!turn || !places.has(turn.id)) return;
    all("nav [aria-current]").forEach((it) => it.removeAttribute("aria-current"));
    places.get(turn.id).setAttribute("aria-current", "true");
  }, { rootMargin: "0px 0px -60% 0px" });
  if (places.size > 1) all(".turn").forEach((it) => watch.observe(it));

  if (matchMedia("(max-width: 60rem)").matches) $("contents").open = false;
  $("bar").hidden = false;
  if (location.hash) follow();
})();
