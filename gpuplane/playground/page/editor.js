// The field lies over a copy of its text, which has the numbers of lines, colours and marks.

const MOST_COLOURED = 2000; // characters of a line, and lines
const TOKENS = new RegExp([
  /(?<comment>(?<=^|\s)#.*)/,
  /(?<key>(?:"[^"]*"|'[^']*'|(?<=^|[\s[{,])[^\s"'#&*!|>{}[\],:-][^\s{}[\],:]*)(?=:(?:\s|$)))/,
  /(?<text>(?<=^|[\s[{,:])(?:"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?))/,
  /(?<anchor>(?<=^|[\s[{,])[&*!][\w./-]+)/,
  /(?<value>(?<=^|[\s[{,])(?:true|false|null|~|[-+]?\d[\w.+-]*)(?=$|[\s,}\]]))/,
].map((each) => each.source).join("|"), "g");
const BLOCK = /(?:^|[:\s-]\s*)[|>][-+\d]*\s*(?:#.*)?$/; // begins a text of several lines

const field = document.getElementById("manifest");
const copy = document.getElementById("copy-of-manifest");
let shown = [];

function coloured(line) {
  const parts = [];
  let end = 0;
  for (const found of line.length > MOST_COLOURED ? [] : line.matchAll(TOKENS)) {
    const [kind] = Object.entries(found.groups).find(([, text]) => text !== undefined);
    parts.push(line.slice(end, found.index), element("span", found[0], { class: kind }));
    end = found.index + found[0].length;
  }
  return [...parts, line.slice(end)];
}

// Lines, with whether each is within a text of several lines: these have one colour.
function lines() {
  let above = -1; // indentation of what holds such a text
  return field.value.split("\n").map((line) => {
    const indentation = line.search(/\S/);
    const isText = above >= 0 && (indentation < 0 || indentation > above);
    if (!isText) above = BLOCK.test(line) ? indentation : -1;
    return { line, isText };
  });
}

function row({ line, isText }, index) {
  const parts = index > MOST_COLOURED ? [line] : isText ? [element("span", line, { class: "text" })]
    : coloured(line);
  return element("div", element("span", parts)); // a flex box drops spaces that stand by themselves
}

// Only lines that differ are made anew; the others keep their marks, and move with their text.
function draw() {
  const next = lines();
  const same = (a, b) => a && b && a.line === b.line && a.isText === b.isText;
  let start = 0;
  while (same(next[start], shown[start])) start += 1;
  let end = 0;
  const most = Math.min(next.length, shown.length) - start;
  while (end < most && same(next.at(-1 - end), shown.at(-1 - end))) end += 1;
  const old = [...copy.children].slice(start, shown.length - end);
  const made = next.slice(start, next.length - end).map((each, index) => row(each, start + index));
  const before = copy.children[shown.length - end] ?? null;
  for (const each of old) each.remove();
  for (const each of made) copy.insertBefore(each, before);
  shown = next;
}

// Marks have a line, a kind and a note; the last one of a line counts.
function mark(marks) {
  for (const each of copy.querySelectorAll("[data-note]")) {
    each.removeAttribute("class");
    each.removeAttribute("data-note");
  }
  for (const { line, kind, note } of marks) {
    const at = copy.children[line - 1];
    at?.setAttribute("class", kind);
    at?.setAttribute("data-note", note);
  }
  field.setAttribute("aria-invalid", String(marks.some(({ kind }) => kind === "bad")));
}

function goTo(line) {
  const above = shown.slice(0, line - 1).reduce((sum, each) => sum + each.line.length + 1, 0);
  field.focus({ preventScroll: true });
  field.setSelectionRange(above, above + (shown[line - 1]?.line.length ?? 0));
  copy.children[line - 1]?.scrollIntoView({ block: "center", inline: "start" });
}
