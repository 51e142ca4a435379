// Drives the report in frames of a page that lies beside it, and writes what it found into that page as JSON:
// [what, whether it holds, what was seen]. All of it is done before the page counts as loaded.
"use strict";
const found = [];
const saved = {};
const check = (what, holds, seen = "") => found.push([what, Boolean(holds), String(seen)]);
const all = (selector, root) => [...root.querySelectorAll(selector)];
const same = (a, b) => a.length === b.length && a.every((one, place) => one === b[place]);
const click = (w, element) => element.dispatchEvent(new w.MouseEvent("click", { bubbles: true, cancelable: true }));
const shown = table => [...table.tBodies[0].rows].filter(row => !row.hidden);

function narrowOrWide(name, { w, d }) {
  const fits = () => d.documentElement.scrollWidth <= d.documentElement.clientWidth;
  const widths = () => `${d.documentElement.scrollWidth} in ${d.documentElement.clientWidth}`;
  check(`${name}: the document does not overflow`, fits(), widths());
  const closed = all("details:not([open])", d);
  for (const details of closed) details.open = true;
  check(`${name}: nor with everything open`, fits(), widths());
  for (const details of closed) details.open = false;
}

function colours(name, { w, d }, expected) {
  const seen = w.getComputedStyle(d.body).backgroundColor;
  check(`${name}: the background is that of the scheme`, seen === expected, seen);
}

function inert(name, { w, d }) {
  check(`${name}: the only script is ours`, d.scripts.length === 1 && d.scripts[0].text.startsWith("// What the page"));
  const handlers = all("*", d).filter(one => [...one.attributes].some(({ name }) => name.startsWith("on")));
  check(`${name}: no element has a handler`, handlers.length === 0, handlers.length);
  const frames = all("iframe, object, embed, link, img, base", d);
  check(`${name}: nothing is loaded`, frames.length === 0, frames.length);
}

function filters({ w, d }) {
  const form = d.querySelector(".filter");
  check("the controls are there", !form.hidden);
  check("every box has a label", all("input", form).every(box => box.labels.length === 1 && box.labels[0].textContent.trim()));
  const box = (kind, value) => form.querySelector(`[name=${kind}][value="${value}"]`);
  const table = d.querySelector("#rank_heat_map table");
  const before = shown(table).length;
  check("the count says that all are shown", table.caption.textContent.includes(`${before} of ${before} rows shown`));
  box("language", "de").click();
  check("a language leaves its rows", shown(table).length === 16, shown(table).length);
  check("only its rows", shown(table).every(row => row.dataset.language === "de"));
  check("the count says so", table.caption.textContent.includes(`16 of ${before} rows shown`), table.caption.textContent);
  check("a mean over all languages stays", all("#g_s_by_language tbody tr", d).some(row => !row.hidden && !row.dataset.language));
  const cells = all("#rank_heat_map svg .cell[data-language]", d);
  const off = cells.filter(cell => cell.classList.contains("off"));
  check("the other cells are dimmed", off.length === cells.length - 16 && off.every(cell => cell.dataset.language !== "de"));
  check("dimmed is seen", w.getComputedStyle(off[0]).opacity < 0.3);
  const rows = all("#g_s_by_language svg .row.off", d);
  check("so are rows of figures", rows.length === 29, rows.length);
  check("the choice is said", form.querySelector("output").textContent.includes("1 of 30 languages"));
  box("stereotype", "7").click();
  check("a stereotype leaves one of them", shown(table).length === 1, shown(table).length);
  box("language", "el").click();
  check("two languages leave two", shown(table).length === 2, shown(table).length);
  const details = box("language", "de").closest("details");
  details.open = true;
  box("language", "de").dispatchEvent(new w.KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  check("Escape closes the choice", !details.open);
  check("and goes back to its head", d.activeElement === details.querySelector("summary"));

  // A cell that the filter hides opens nevertheless.
  opens({ w, d }, "bg", 1);
  form.querySelector("[type=reset]").click();
}

function afterReset(name, { d }) {
  check(`${name}: reset shows all`, all("table", d).every(table => shown(table).length === table.tBodies[0].rows.length));
  check(`${name}: and dims nothing`, all(".off", d).length === 0);
}

function opens({ w, d }, language, stereotype) {
  const id = `s-${language}-${stereotype}`;
  const target = d.getElementById(id);
  check(`${id} is closed at first`, !target.closest("details").open);
  click(w, d.querySelector(`#rank_heat_map svg a[href="#${id}"] text`));
  const around = all("details", d).filter(details => details.contains(target));
  check(`a cell opens ${id}`, around.length === 2 && around.every(details => details.open && !details.hidden));
  check(`${id} is seen`, target.checkVisibility());
  check(`the focus moves to ${id}`, d.activeElement === target, d.activeElement.id);
  return target;
}

function sentences({ w, d }) {
  const target = opens({ w, d }, "de", 2);
  const text = target.textContent;
  check("text that looks like markup is text", text.includes("<script>alert(1)</script>"), text);
  check("the rate is there", /r = 0\.\d{3}/.test(text), text);
  const marks = all("mark", target).map(mark => mark.firstChild.data.trim());
  check("the tokens that differ are marked", same(marks, ["▁er", "▁er"]), marks);
  check("each token has its number", all(".tokens b i, .tokens mark i", target).every(one => /^(–|−?\d+\.\d\d)$/.test(one.textContent)));
  const link = d.querySelector('#rank_heat_map td a[href="#s-de-3"]');
  click(w, link);
  check("a row of the table leads there too", d.activeElement.id === "s-de-3", d.activeElement.id);
  const withoutItems = d.querySelector('#rank_heat_map svg .cell[data-language="de"][data-stereotype="16"]');
  check("a cell without items is no link", withoutItems.tagName === "g", withoutItems.tagName);
}

function sorting({ w, d }) {
  const table = d.querySelector("#rank_heat_map table");
  const head = all("thead th", table).find(one => one.dataset.key === "q");
  const rows = () => [...table.tBodies[0].rows];
  const cell = row => row.cells[head.cellIndex];
  const values = () => rows().filter(row => !cell(row).classList.contains("none")).map(row => Number(cell(row).dataset.value));
  const original = rows();
  const missing = original.filter(row => cell(row).classList.contains("none"));
  check("there is something missing to sort", missing.length === 1, missing.length);
  const button = head.querySelector("button");
  check("a head is a button", button.type === "button" && button.textContent === "q");
  const ordered = sign => values().every((value, place, all) => place === 0 || sign * (value - all[place - 1]) >= 0);
  const last = () => same(rows().slice(-missing.length), missing);
  button.click();
  check("a click sorts upwards", head.getAttribute("aria-sort") === "ascending" && ordered(1) && last());
  button.click();
  check("a second one downwards", head.getAttribute("aria-sort") === "descending" && ordered(-1) && last());
  const items = all("thead th", table).find(one => one.dataset.key === "n_items");
  items.querySelector("button").click();
  check("one column sorts at a time", all("[aria-sort]", table).length === 1 && items.hasAttribute("aria-sort"));
  const sixteen = list => list.filter(row => row.cells[items.cellIndex].dataset.value === "16");
  check("equals keep the order of the file", same(sixteen(rows()), sixteen(original)) && !same(rows(), original));
  items.querySelector("button").click();
  items.querySelector("button").click();
  check("a third one brings the file's order back", same(rows(), original) && all("[aria-sort]", table).length === 0);
  const name = all("thead th", table).find(one => one.dataset.key === "language_name");
  name.querySelector("button").click();
  check("words sort as words", rows()[0].cells[1].textContent === "Bulgarian" && rows().at(-1).cells[1].textContent === "Ukrainian");
}

// The table is sorted when it is saved: the file is in its own order all the same.
function saving({ w, d }) {
  const texts = [];
  w.Blob = function (parts) { texts.push(parts[0]); };
  w.URL.createObjectURL = () => "#saved";
  w.addEventListener("click", event => event.preventDefault());
  for (const [key, selector] of [["csv", "caption a[data-save=csv]"], ["svg", "figcaption a[data-save=svg]"]]) {
    const link = d.querySelector(`#rank_heat_map ${selector}`);
    click(w, link);
    saved[key] = texts.at(-1);
    check(`${key} is saved under its own name`, link.download === `rank_heat_map.${key}`, link.download);
  }
  const svg = new DOMParser().parseFromString(saved.svg, "image/svg+xml");
  check("the saved figure is XML", svg.documentElement.localName === "svg" && !svg.querySelector("parsererror"));
  check("and needs no page", !saved.svg.includes("var(") && !saved.svg.includes("href"));
}

function readableTokens({ w, d }) {
  const text = all(".tokens", d).map(one => one.textContent).join(" ");
  check("byte-level pieces are readable", text.includes("„ ") && text.includes("▁") && !text.includes("âĢ") && !text.includes("Ġ"));
}

// Runs stay whatever is chosen; what names another language or stereotype goes, in every table and figure that names one.
function comparisonFilters({ w, d }) {
  const form = d.querySelector(".filter");
  check("a comparison has the controls", !form.hidden);
  const box = (kind, value) => form.querySelector(`[name=${kind}][value="${value}"]`);
  const rows = (id, kind) => all(`#${id} svg .row[data-${kind}]`, d);
  const isOff = part => part.classList.contains("off");
  const only = (kind, value, ids) => {
    for (const id of ids) {
      const parts = all(`#${id} svg [data-${kind}]`, d);
      check(`${id} names every ${kind}`, new Set(parts.map(part => part.dataset[kind])).size === (kind === "language" ? 30 : 16));
      check(`${id} dims the others`, parts.every(part => isOff(part) === (part.dataset[kind] !== value)));
      const table = d.querySelector(`#${id} table`);
      const left = shown(table).filter(row => row.dataset[kind]);
      check(`${id} leaves its rows`, left.length && left.every(row => row.dataset[kind] === value), left.length);
    }
  };
  const runs = shown(d.querySelector("#mean_g_s table")).length;
  box("language", "de").click();
  only("language", "de", ["g_s_by_model", "differences_by_language", "ranks_by_model"]);
  check("a run's mean stays", all("#g_s_by_model svg .row:not([data-language])", d).every(row => !isOff(row)));
  check("stereotypes stay", rows("inclination_by_model", "stereotype").every(row => !isOff(row)));
  box("language", "de").click();
  box("stereotype", "7").click();
  only("stereotype", "7", ["inclination_by_model", "differences_by_stereotype", "beyond_neutral", "ranks_by_model"]);
  check("languages stay", rows("g_s_by_model", "language").every(row => !isOff(row)));
  check("a comparison's runs stay", shown(d.querySelector("#mean_g_s table")).length === runs && runs === 3, runs);
  form.querySelector("[type=reset]").click();
}

function comparisonSorting({ d }) {
  const table = d.querySelector("#differences_by_language table");
  const head = all("thead th", table).find(one => one.dataset.key === "difference");
  const values = () => [...table.tBodies[0].rows].map(row => Number(row.cells[head.cellIndex].dataset.value));
  const original = values();
  const sorted = [...original].sort((a, b) => a - b);
  head.querySelector("button").click();
  check("differences sort upwards", same(values(), sorted) && !same(sorted, original), original.length);
  head.querySelector("button").click();
  check("differences sort downwards", same(values(), sorted.reverse()));
}

// The frame without scripts, whose address leads to a cell.
function plain({ w, d }) {
  check("without scripts no control is there", !d.querySelector(".filter").checkVisibility());
  check("nor a button or a count", d.querySelectorAll("th button, .count").length === 0);
  const target = d.getElementById("s-de-2");
  check("an address opens its sentences", target.checkVisibility());
  check("and no others", !d.getElementById("s-de-3").checkVisibility());
  check("links lead to the files beside the page", d.querySelector("[data-save=csv]").getAttribute("href").startsWith("tables/"));
}

// A script that is not ours, as if a text had become markup: the browser says so in its log.
function policy({ w, d }) {
  const script = d.createElement("script");
  script.textContent = "window.injected = true";
  d.body.append(script);
  check("the page's policy refuses other scripts", w.injected === undefined);
}

addEventListener("load", () => {
  const errors = [];
  const frame = id => {
    const element = document.getElementById(id);
    const w = element.contentWindow;
    w.addEventListener("error", event => errors.push(event.message));
    return { w, d: w.document };
  };
  try {
    for (const { id, dataset } of all("iframe", document)) {
      inert(id, frame(id));
      colours(id, frame(id), dataset.paper);
      narrowOrWide(id, frame(id));
    }
    sorting(frame("wide"));
    saving(frame("wide"));
    filters(frame("narrow"));
    comparisonSorting(frame("comparison-wide"));
    comparisonFilters(frame("comparison-narrow"));
    readableTokens(frame("golden"));
    plain(frame("plain"));
    policy(frame("golden"));
  } catch (error) {
    check("the driver runs to its end", false, error.stack);
  }
  // A form tells of its reset before it is reset.
  setTimeout(() => {
    try {
      for (const name of ["narrow", "comparison-narrow"]) afterReset(name, frame(name));
      sentences(frame("narrow"));
    } catch (error) {
      check("the driver runs to its end", false, error.stack);
    }
    check("no error reaches the window", errors.length === 0, errors);
    document.getElementById("result").textContent = JSON.stringify({ found, saved });
  });
});
