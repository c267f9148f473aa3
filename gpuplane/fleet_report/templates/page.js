"use strict";
(() => {
  const form = document.querySelector(".filters");
  const rows = [...document.querySelectorAll("[data-clusters]")];
  const folds = [...document.querySelectorAll("details[id]")];
  const openAtFirst = new Set(folds.filter((fold) => fold.open).map((fold) => fold.id));
  const order = new Map();
  const sorted = new Map();
  let target = "";

  // Text that was not encoded, as in #%, names nothing that is here.
  function decoded(fragment) {
    try {
      return decodeURIComponent(fragment);
    } catch {
      return fragment;
    }
  }

  // #TARGET&cluster=NAME&find=TEXT&sort=TABLE:COLUMN:DIRECTION&open=NAME,...&closed=NAME,...
  function read() {
    const [first, ...others] = location.hash.slice(1).split("&");
    const stated = first.includes("=") ? [first, ...others] : others;
    const fields = new URLSearchParams(stated.join("&"));
    target = first.includes("=") ? "" : decoded(first);
    form.elements.cluster.value = fields.get("cluster") ?? "";
    if (form.elements.cluster.selectedIndex < 0) form.elements.cluster.value = "";
    form.elements.find.value = fields.get("find") ?? "";
    sorted.clear();
    for (const each of fields.getAll("sort")) {
      const [name, column, direction] = each.split(":");
      sorted.set(name, [Number(column), direction]);
    }
    const open = new Set((fields.get("open") ?? "").split(","));
    const closed = new Set((fields.get("closed") ?? "").split(","));
    for (const fold of folds) {
      fold.open = openAtFirst.has(fold.id) ? !closed.has(fold.id) : open.has(fold.id);
    }
  }

  function write() {
    const fields = new URLSearchParams();
    if (form.elements.cluster.value) fields.set("cluster", form.elements.cluster.value);
    if (form.elements.find.value) fields.set("find", form.elements.find.value);
    for (const [name, [column, direction]] of sorted) {
      fields.append("sort", `${name}:${column}:${direction}`);
    }
    const differing = folds.filter((fold) => fold.open !== openAtFirst.has(fold.id));
    const named = (list) => list.map((fold) => fold.id).join(",");
    const open = named(differing.filter((fold) => fold.open));
    const closed = named(differing.filter((fold) => !fold.open));
    if (open) fields.set("open", open);
    if (closed) fields.set("closed", closed);
    const parts = [encodeURIComponent(target), fields.toString()].filter(Boolean);
    const hash = parts.length ? `#${parts.join("&")}` : " ";
    if (hash.trim() !== location.hash) history.replaceState(null, "", hash);
  }

  function filter() {
    const cluster = form.elements.cluster.value;
    const text = form.elements.find.value.toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const clusters = row.dataset.clusters.split(" ").filter(Boolean);
      const isOf = !cluster || !clusters.length || clusters.includes(cluster);
      row.hidden = row.id !== target && !(isOf && row.textContent.toLowerCase().includes(text));
      shown += !row.hidden;
    }
    form.elements.count.value =
      shown < rows.length ? `${shown} of ${rows.length} rows` : `${rows.length} rows`;
  }

  function figure(text) {
    const number = parseFloat(text.replaceAll(",", ""));
    return Number.isNaN(number) ? -Infinity : number;
  }

  function sort() {
    for (const [name, table] of order) {
      const [column, direction] = sorted.get(name) ?? [-1, ""];
      const heads = [...table.head.cells];
      heads.forEach((head, index) => {
        if (index === column) head.setAttribute("aria-sort", direction);
        else head.removeAttribute("aria-sort");
      });
      const arranged = [...table.rows];
      if (heads[column]) {
        const isFigure = heads[column].classList.contains("figure");
        const sign = direction === "descending" ? -1 : 1;
        const key = (row) => row.cells[column].textContent.trim();
        arranged.sort((a, b) => {
          const [left, right] = [key(a), key(b)];
          const compared = isFigure
            ? figure(left) - figure(right) || 0
            : left < right ? -1 : left > right ? 1 : 0;
          return sign * compared;
        });
      }
      table.body.append(...arranged);
    }
  }

  function show() {
    document.querySelectorAll(".linked").forEach((each) => each.classList.remove("linked"));
    const linked = target && document.getElementById(target);
    if (!linked) return;
    for (let each = linked; each; each = each.parentElement) {
      if (each.tagName === "DETAILS") each.open = true;
    }
    if (linked.tagName === "TR" || linked.tagName === "LI") linked.classList.add("linked");
    linked.scrollIntoView({ block: "start" });
  }

  function restore() {
    read();
    filter();
    sort();
    show();
  }

  for (const table of document.querySelectorAll("table[data-name]")) {
    const body = table.tBodies[0];
    order.set(table.dataset.name, { head: table.tHead.rows[0], body, rows: [...body.rows] });
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      button.addEventListener("click", () => {
        const [before, direction] = sorted.get(table.dataset.name) ?? [-1, ""];
        const next = before === column && direction === "ascending" ? "descending" : "ascending";
        if (before === column && direction === "descending") sorted.delete(table.dataset.name);
        else sorted.set(table.dataset.name, [column, next]);
        sort();
        write();
      });
      head.replaceChildren(button);
    });
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    target = decoded(link.hash.slice(1));
    history.pushState(null, "", location.href);
    write();
    filter();
    show();
    document.getElementById(target)?.querySelector("summary, a")?.focus({ preventScroll: true });
  });
  for (const fold of folds) fold.addEventListener("toggle", write);
  form.addEventListener("input", () => { filter(); write(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { filter(); write(); }));
  addEventListener("hashchange", restore);
  addEventListener("popstate", restore);
  addEventListener("beforeprint", () => folds.forEach((fold) => { fold.open = true; }));
  form.hidden = false;
  restore();
})();
