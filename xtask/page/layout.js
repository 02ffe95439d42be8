// Whether everything on the page can be read at this width and in these colours: a list of faults.
(() => {
  const faults = new Set();
  const say = (fault, element) => faults.add(`${fault}: ${element.outerHTML.slice(0, 160)}`);
  const style = (element) => getComputedStyle(element);
  const NARROW = 40;
  // Not that of the window: a phone shows a page that is too wide as a whole, and smaller.
  const WIDTH = document.documentElement.clientWidth;
  const CONTRAST = 4.5;

  // Text that stands in this element itself.
  const own = (element) => [...element.childNodes].filter((it) => it.nodeType === Node.TEXT_NODE).map((it) => it.data).join("").trim();
  // What is cut off or scrolled by something around it is not on the screen by itself.
  const isHeld = (element) => {
    for (let it = element.parentElement; it && it !== document.body; it = it.parentElement) {
      if (style(it).overflowX !== "visible") return true;
    }
    return false;
  };

  // Colours as the browser would draw them.
  const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const channels = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const known = new Map();
  const light = (colour) => {
    if (!known.has(colour)) {
      const [red, green, blue] = channels(colour).map((it) => it / 255).map((it) => (it <= 0.03928 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4));
      known.set(colour, 0.2126 * red + 0.7152 * green + 0.0722 * blue);
    }
    return known.get(colour);
  };
  const isClear = (colour) => colour === "transparent" || colour.endsWith(", 0)");
  const behind = (element) => {
    for (let it = element; it; it = it.parentElement) {
      const colour = style(it).backgroundColor;
      if (!isClear(colour)) return colour;
    }
    return "white";
  };

  for (const element of document.body.querySelectorAll("*")) {
    if (["SCRIPT", "STYLE", "BUTTON", "INPUT"].includes(element.tagName) || element.closest("svg, .skip, .hidden, [hidden]")) continue;
    if (!element.checkVisibility()) continue;
    const text = own(element);
    const { left, right, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0) continue;
    if ((right > WIDTH + 1 || left < -1) && !isHeld(element)) say(`off the screen (${Math.round(left)} to ${Math.round(right)})`, element);
    if (!text) continue;
    // A letter or two on each line.
    const line = parseFloat(style(element).lineHeight) || 24;
    if (style(element).display !== "inline" && text.length > 5 && width < NARROW && height > 3 * line) say(`${Math.round(width)} wide, ${Math.round(height)} high`, element);
    const [one, other] = [light(style(element).color), light(behind(element))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < CONTRAST) say(`contrast ${contrast.toFixed(1)}`, element);
  }
  // What goes on of a changed line stands below the line, and not below its number or sign.
  for (const line of document.querySelectorAll(".diff .line")) {
    const sign = line.parentElement.querySelector(".sign");
    if (!sign || !line.checkVisibility()) continue;
    const text = document.createRange();
    text.selectNodeContents(line);
    const { right } = sign.getBoundingClientRect();
    const parts = [...text.getClientRects()].filter((it) => it.width > 0);
    if (parts.some((it) => it.left < right - 1)) say("a line of a change that goes on below its number", line.parentElement);
  }
  for (const table of document.querySelectorAll("table:not(.axis)")) {
    if (!table.querySelector("tbody td, tbody th")) say("an empty table", table);
    if (!isHeld(table) && table.scrollWidth > table.clientWidth + 1) say("a table that is wider than its place", table);
  }
  return [...faults].slice(0, 20);
})()
