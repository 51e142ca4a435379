// What the page can do where scripts run: show a part of the rows, sort tables, open the sentences behind a cell, save
// a figure or a table from the page itself. Everything is there to read without it. It asks no network, keeps nothing,
// and puts text into the page as text only.
"use strict";
(() => {
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const make = (name, properties) => Object.assign(document.createElement(name), properties);

// Tables: their rows in the order of the file, and a line that counts those shown.
const tables = all("table").map(table => {
  const count = make("span", { className: "count" });
  table.caption.append(" ", count);
  return { table, count, rows: [...table.tBodies[0].rows] };
});
const tell = () => {
  for (const { count, rows } of tables) {
    count.textContent = `${rows.filter(row => !row.hidden).length} of ${rows.length} rows shown`;
  }
};

// Filter. Nothing chosen is everything; what names no language or stereotype stays.
const form = document.querySelector(".filter");
const choices = form ? all("details", form).map(details => {
  const boxes = all("input", details);
  return { details, boxes, kind: boxes[0].name, text: details.querySelector("summary span") };
}) : [];
const parts = all("main [data-language], main [data-stereotype]");
const filter = () => {
  const said = [];
  for (const choice of choices) {
    const on = choice.boxes.filter(box => box.checked);
    choice.values = new Set(on.map(box => box.value));
    const names = on.map(box => box.parentElement.textContent.trim());
    const shown = `${on.length} of ${choice.boxes.length}`;
    choice.text.textContent = !on.length ? "all" : on.length > 2 ? shown : names.join(", ");
    if (on.length) said.push(`${shown} ${choice.kind}s`);
  }
  for (const part of parts) {
    const out = choices.some(({ kind, values }) => values.size && part.dataset[kind] && !values.has(part.dataset[kind]));
    if (part instanceof SVGElement) part.classList.toggle("off", out);
    else part.hidden = out;
  }
  form.querySelector("output").textContent = said.length ? `Shown: ${said.join(", ")}` : "";
  tell();
  makeRoom();
};
// The controls stay in sight and must not cover what a link leads to.
const makeRoom = () => { document.documentElement.style.scrollPaddingTop = `${form.offsetHeight + 8}px`; };
if (form && choices.length) {
  form.hidden = false;
  makeRoom();
  addEventListener("resize", makeRoom);
  form.addEventListener("change", filter);
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("keydown", event => {
    const open = event.target.closest("details[open]");
    if (event.key !== "Escape" || !open) return;
    open.open = false;
    open.querySelector("summary").focus();
  });
  document.addEventListener("click", event => {
    for (const { details } of choices) if (!details.contains(event.target)) details.open = false;
  });
}
tell();

// Sorting: up, down, as it was. Numbers by full precision, what is missing always last, equals in their order.
const value = (cell, isNumber) => {
  if (cell.classList.contains("none")) return null;
  return isNumber ? Number(cell.dataset.value ?? cell.textContent) : cell.textContent;
};
const sort = ({ table, rows }, head) => {
  const order = { ascending: "descending", descending: "none" }[head.getAttribute("aria-sort")] ?? "ascending";
  for (const other of all("th[aria-sort]", table)) other.removeAttribute("aria-sort");
  if (order !== "none") head.setAttribute("aria-sort", order);
  const sign = order === "descending" ? -1 : 1;
  const isNumber = head.classList.contains("num");
  const keyed = rows.map(row => ({ row, key: value(row.cells[head.cellIndex], isNumber) }));
  const compare = (a, b) => {
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (isNumber ? a - b : a.localeCompare(b, "en"));
  };
  if (order !== "none") keyed.sort((a, b) => compare(a.key, b.key));
  table.tBodies[0].append(...keyed.map(({ row }) => row));
};
for (const one of tables) {
  for (const head of all("thead th", one.table)) {
    const button = make("button", { type: "button" });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(one, head));
  }
}

// The sentences behind a cell: everything around them opens, whatever the filter says.
const reveal = hash => {
  const target = /^#s-/.test(hash) && document.getElementById(hash.slice(1));
  if (!target) return;
  for (let around = target; around; around = around.parentElement) {
    if (around.tagName === "DETAILS") around.open = true;
    if (around !== form) around.hidden = false;
  }
  target.focus();
  target.scrollIntoView();
};
addEventListener("hashchange", () => reveal(location.hash));
reveal(location.hash);

// Saving: the files that lie beside the page, made from the page.
const csv = table => {
  const quote = text => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const text = cell => cell.classList.contains("none") ? "" : cell.dataset.value ?? cell.textContent;
  const lines = tables.find(one => one.table === table).rows.map(row => [...row.cells].map(text));
  lines.unshift(all("thead th", table).map(head => head.dataset.key));
  return lines.map(line => line.map(quote).join(",") + "\r\n").join("");
};
const svg = figure => {
  const copy = figure.cloneNode(true);
  const [, , width, height] = copy.getAttribute("viewBox").split(" ");
  for (const name of ["style", "aria-labelledby"]) copy.removeAttribute(name);
  for (const part of all("[href]", copy)) for (const name of ["href", "tabindex"]) part.removeAttribute(name);
  for (const part of all(".off", copy)) part.classList.remove("off");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  // In the light colours, which stand first in the page's style.
  const [, root] = document.querySelector("style").textContent.match(/:root\{([^}]*)/);
  const colours = Object.fromEntries(root.split(";").map(rule => rule.split(":")));
  const part = name => document.createElementNS(copy.namespaceURI, name);
  const [style, paper] = [part("style"), part("rect")];
  style.textContent = document.getElementById("figure-style").textContent
    .replace(/var\(([^)]*)\)/g, (whole, name) => colours[name]);
  for (const [name, size] of Object.entries({ class: "paper", width, height })) paper.setAttribute(name, size);
  copy.querySelector("desc").after(style, paper);
  return new XMLSerializer().serializeToString(copy);
};
document.addEventListener("click", event => {
  const link = event.target.closest("a");
  if (!link) return;
  const kind = link.dataset.save;
  if (kind) {
    const text = kind === "csv" ? csv(link.closest("table")) : svg(link.closest("figure").querySelector("svg"));
    const type = kind === "csv" ? "text/csv" : "image/svg+xml";
    link.download ||= link.getAttribute("href").split("/").pop();
    URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(new Blob([text], { type }));
  } else {
    reveal(link.getAttribute("href") ?? "");
  }
});
})();
