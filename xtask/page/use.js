// Uses the page as a person would: a list of faults. `word` is searched for.
(async (word) => {
  const faults = [];
  const $ = (id) => document.getElementById(id);
  const must = (holds, fault) => holds || faults.push(fault);
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const search = async (words) => {
    $("find").value = words;
    $("find").dispatchEvent(new Event("input"));
    await wait(250);
  };
  const items = [...document.querySelectorAll("main .item")];
  const visible = () => items.filter((it) => it.checkVisibility()).length;

  must(!$("bar").hidden, "the bar is hidden");
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
  must(document.activeElement === $("find"), "the key / does not lead to the search");
  const expected = items.filter((it) => it.textContent.toLowerCase().includes(word)).length;
  await search(word.toUpperCase());
  must(expected > 0, `nothing has ${word}`);
  const shows = (rank) => must($("hits").textContent === `${rank} of ${expected}`, `hits: ${$("hits").textContent}, not ${rank} of ${expected}`);
  shows(1);
  must(visible() === expected, `${visible()} items are visible, not ${expected}`);
  must(document.querySelector(".here")?.textContent.toLowerCase().includes(word), "the first hit is not shown");
  must(document.activeElement === $("find"), "the search has lost the keyboard");
  $("next").click();
  shows(expected > 1 ? 2 : 1);
  $("before").click();
  shows(1);
  await search("no such words anywhere 4711");
  must(visible() === 0 && $("hits").textContent === "nothing found", "what is not there is found");
  $("find").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  must($("find").value === "" && $("hits").textContent === "", "Escape does not end the search");

  const colour = () => getComputedStyle(document.body).backgroundColor;
  const before = colour();
  $("theme").click();
  must(colour() !== before, "the theme stays what it was");
  $("theme").click();
  must(colour() === before, "the theme does not come back");
  // The next page is to be as the system is.
  localStorage.clear();

  $("shut").click();
  const bar = document.querySelector("svg a");
  if (bar) {
    const target = $(bar.getAttribute("href").slice(1));
    must(!target.open, "the call is open already");
    bar.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    await wait(250);
    must(target.open && target.checkVisibility(), "a bar does not lead to its call");
  }
  $("open").click();
  must(visible() === items.length, "not everything can be opened");
  return faults;
})
