// An answer as elements. All of it may be an attacker's words: it only ever becomes text.

const EFFECTS = {
  fixed: "Fixed", denied: "Refused", warned: "Warned", audited: "Audited", failed: "Rule failed",
};
const ORDER = ["denied", "failed", "warned", "fixed", "audited"];

function verdict(answer) {
  if (answer.faults.length) return ["bad", `Cannot be read: ${count(answer.faults, "fault")}.`];
  const refused = answer.objects.filter((one) => !one.allowed).length;
  const fixed = found(answer, "fixed");
  const warned = found(answer, "warned");
  const parts = [
    refused ? `Refused: ${refused} of ${count(answer.objects, "object")}.` : admitted(answer),
    fixed ? `Admission fixes ${count(fixed, "thing")}.` : "Nothing is fixed.",
    warned ? `It warns of ${count(warned, "thing")}.` : "",
  ];
  const kind = answer.unjudged.length ? "open" : "good";
  return [refused ? "bad" : kind, parts.filter(Boolean).join(" ")];
}

function admitted(answer) {
  const open = answer.unjudged;
  if (!open.length) return "Admitted.";
  const rules = `${count(open, "rule")} of the platform team's own`;
  const are = open.length === 1 ? "is" : "are";
  return `Admitted, but ${rules} ${are} not judged here (${open.join(", ")}): ask gpuplane admit.`;
}

const found = (answer, effect) =>
  answer.objects.flatMap((one) => one.findings).filter((each) => each.effect === effect).length;

function count(what, noun) {
  const number = typeof what === "number" ? what : what.length;
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

// `goTo` takes a line of the manifest, `openRule` a rule's name.
function details(answer, goTo, openRule) {
  const parts = [];
  if (answer.faults.length) parts.push(faultList(answer.faults, goTo));
  for (const one of answer.objects) parts.push(objectSection(one, goTo, openRule));
  if (answer.quotas.length) parts.push(quotaSection(answer.quotas));
  if (answer.notes.length) {
    parts.push(element("h2", "Notes"), element("ul", answer.notes.map((note) => element("li", note))));
  }
  return parts;
}

function lineButton(line, goTo) {
  const button = element("button", `line ${line}`, { type: "button", class: "link" });
  button.addEventListener("click", () => goTo(line));
  return button;
}

function faultList(faults, goTo) {
  return element("ul", faults.map((fault) => element("li", [
    element("p", [
      lineButton(fault.line, goTo), fault.column ? `column ${fault.column}: ` : ": ", fault.message,
    ]),
  ], { class: "denied" })), { class: "findings" });
}

function objectSection(one, goTo, openRule) {
  const state = one.allowed ? "admitted" : "refused";
  const title = element("h2", [`${one.subject}: ${state} `, lineButton(one.line, goTo)]);
  const place = element("p", ["In namespace ", element("code", one.namespace)], { class: "hint" });
  const parts = [title, place];
  if (one.findings.length) {
    const worst = one.findings.toSorted((a, b) => ORDER.indexOf(a.effect) - ORDER.indexOf(b.effect));
    parts.push(element("ul", worst.map((each) => findingItem(each, goTo, openRule)),
      { class: "findings" }));
  } else {
    parts.push(element("p", "No rule finds anything."));
  }
  if (one.diff.length) {
    const changes = one.allowed ? "What admission changes" : "What admission would change";
    parts.push(element("h3", changes), diffBlock(one.diff));
  }
  for (const pod of one.pods) parts.push(...podParts(pod));
  return element("section", parts, { "aria-label": one.subject });
}

function findingItem(finding, goTo, openRule) {
  const rule = element("button", finding.rule, {
    type: "button", class: "link", "aria-label": `Page of the rule ${finding.rule}`,
  });
  rule.addEventListener("click", () => openRule(finding.rule, rule));
  const where = finding.cluster ? ` in ${finding.cluster}` : "";
  return element("li", [
    element("p", [
      element("span", `${EFFECTS[finding.effect]}${where}`, { class: "effect" }), " by ", rule,
      " at ", lineButton(finding.line, goTo),
    ]),
    element("p", `${finding.message} ${finding.remedy}`),
  ], { class: finding.effect });
}

const SIGNS = { "+": "ins", "-": "del", " ": "span", "@": "span" };

function diffBlock(lines) {
  const shown = lines.map(({ sign, text }) =>
    element(SIGNS[sign], sign === "@" ? "⋯" : `${sign} ${text}`));
  return element("pre", shown, { class: "diff", tabindex: "0", "aria-label": "Difference" });
}

function podParts(pod) {
  const asked = Object.entries(pod.asks).map(([name, amount]) => `${amount} × ${name}`).join(", ");
  const many = pod.count === null ? "an unknown number of pods" : count(pod.count, "pod");
  const where = pod.cluster ? ` in ${pod.cluster}` : "";
  const heading = element("h3", ["Pools for ", element("code", pod.pointer || "the pod"), where]);
  if (!pod.pools.length) {
    return [heading, element("p", "It holds resource claims, which alone say what it gets.")];
  }
  const caption = `Each asks for ${asked}; ${many}.`;
  return [heading, grid(caption, ["Pool", "Could hold it", "A pod, an hour", "All, an hour"],
    pod.pools.map((pool) => poolRow(pool, pod.count)), 2)];
}

function poolRow(pool, many) {
  const fits = pool.reason
    ? `no: ${pool.reason}`
    : element("span", "yes", { class: "fits" });
  if (pool.reason) return [pool.pool, fits, "", ""];
  if (pool.hour === null) return [pool.pool, fits, `not known: ${pool.unpriced}`, ""];
  return [pool.pool, fits, money(pool.hour, pool.currency),
    many === null ? "?" : money(pool.hour * many, pool.currency)];
}

const money = (amount, currency) =>
  `${amount.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${currency}`;

function quotaSection(quotas) {
  const rows = quotas.map((one) => [
    one.cluster ? `${one.cluster}: ${one.namespace}` : one.namespace,
    one.resource,
    `${one.at_least ? "at least " : ""}${one.asked}`,
    String(one.quota),
    one.asked > one.quota
      ? element("span", "more than the quota", { class: "over" })
      : `${one.quota - one.asked}, less what is used already`,
  ]);
  return element("section", [
    element("h2", "Quota"),
    grid("What is used already only the cluster knows.",
      ["Namespace", "Resource", "Asked", "Quota", "Left"], rows, 2, 4),
  ], { "aria-label": "Quota" });
}

// Columns from `first` up to `end` are numbers.
function grid(caption, headers, rows, first, end = headers.length) {
  const kind = (index) => (index >= first && index < end ? { class: "number" } : {});
  const cell = (content, index) => index === 0
    ? element("th", content, { scope: "row" }) : element("td", content, kind(index));
  return element("div", element("table", [
    element("caption", caption),
    element("thead", element("tr", headers.map((header, index) =>
      element("th", header, { scope: "col", ...kind(index) })))),
    element("tbody", rows.map((row) => element("tr", row.map(cell)))),
  ]), { class: "scroll", tabindex: "0", role: "group", "aria-label": caption });
}
