"use strict";
// The pages of the rules, as elements: their Markdown has headings, paragraphs, lists, tables, blocks
// of code, and inline code, emphasis and links. Nothing is ever parsed as HTML.

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

function element(name, content = [], attributes = {}) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...(Array.isArray(content) ? content : [content]));
  return made;
}

function inline(text) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(text.slice(end, found.index));
    end = found.index + found[0].length;
    const [, code, strong, label, target] = found;
    if (code !== undefined) parts.push(element("code", code));
    else if (strong !== undefined) parts.push(element("strong", inline(strong)));
    else if (target.startsWith("https://")) {
      parts.push(element("a", inline(label), { href: target, rel: "noreferrer", target: "_blank" }));
    } else parts.push(...inline(label));
  }
  parts.push(text.slice(end));
  return parts.filter((part) => part !== "");
}

const cells = (line) => line.replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

// Headings begin at `level`, so that those of a page stand below the one around it.
function markdown(source, level) {
  const blocks = [];
  const parts = source.split(/^```(.*)$/m);
  // Of what is split by fences, the fences' own words are odd, and code is every fourth.
  for (let index = 0; index < parts.length; index += 4) {
    blocks.push(...prose(parts[index], level));
    if (index + 2 < parts.length) {
      const code = element("code", parts[index + 2].replace(/^\n|\n$/g, ""));
      blocks.push(element("pre", code, { tabindex: "0" }));
    }
  }
  return blocks;
}

function prose(text, level) {
  return text.split(/\n{2,}/).map((part) => part.trim()).filter(Boolean).map((part) => {
    const heading = /^(#+) (.*)$/.exec(part);
    if (heading) return element(`h${Math.min(heading[1].length + level - 1, 6)}`, inline(heading[2]));
    const lines = part.split("\n");
    if (lines.every((line) => line.startsWith("|"))) return table(lines);
    const mark = /^(?:[-*]|\d+\.) /;
    if (mark.test(part)) {
      const items = part.split(/\n(?=(?:[-*]|\d+\.) )/).map((item) => item.replace(mark, ""));
      const kind = /^\d/.test(part) ? "ol" : "ul";
      return element(kind, items.map((item) => element("li", inline(item.replace(/\n\s*/g, " ")))));
    }
    return element("p", inline(lines.join(" ")));
  });
}

function table(lines) {
  const [head, , ...rows] = lines.map(cells);
  return element("div", element("table", [
    element("thead", element("tr", head.map((cell) => element("th", inline(cell), { scope: "col" })))),
    element("tbody", rows.map((row) => element("tr", row.map((cell) => element("td", inline(cell)))))),
  ]), { class: "scroll" });
}
