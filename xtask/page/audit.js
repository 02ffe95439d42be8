// What must never be in a page, whatever the stream says: a list of faults.
(() => {
  const faults = [];
  const say = (fault, element) => faults.push(`${fault}: ${element.outerHTML.slice(0, 200)}`);
  if (window.pwned) faults.push("script of the stream ran");
  const allowed = new Set(("html head meta title style body a header h1 p strong dl div dt dd input output button nav " +
    "details summary ul li span small section h2 h3 h4 h5 h6 main svg rect pre code del ins em ol blockquote hr br img table " +
    "path dialog select option caption thead tbody tfoot tr th td footer script sup sub").split(" "));
  for (const element of document.querySelectorAll("*")) {
    const tag = element.localName;
    const isBarTitle = tag === "title" && element.namespaceURI.endsWith("svg");
    if (!allowed.has(tag) && !isBarTitle) say("an element that we do not write", element);
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on")) say("a handler", element);
      if (name === "style") say("a style", element);
      if (["src", "srcset", "srcdoc", "action", "formaction", "xlink:href", "data", "poster", "background"].includes(name)
        && !(tag === "img" && /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/.test(value))) say("a source", element);
      if (name === "href" && !/^(#[a-z0-9-]+|https?:|mailto:)/i.test(value)) say("an address", element);
      if (name === "href" && !value.startsWith("#") && !element.rel.includes("noopener")) say("no noopener", element);
    }
  }
  if (document.scripts.length !== 1) faults.push(`${document.scripts.length} scripts`);
  if (document.querySelectorAll("style").length !== 1) faults.push("another style");
  if (document.querySelectorAll("meta[http-equiv]").length !== 1) faults.push("another http-equiv");
  if (document.querySelectorAll("[id]").length !== new Set([...document.querySelectorAll("[id]")].map((it) => it.id)).size) faults.push("an id twice");
  for (const link of document.querySelectorAll("a[href^='#']")) {
    if (!document.getElementById(link.getAttribute("href").slice(1))) say("a link to nowhere", link);
  }
  if (document.title === "pwned" || !document.title) faults.push(`the title is ${document.title}`);
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) faults.push(`wider than the screen: ${document.documentElement.scrollWidth}`);
  return faults;
})()
