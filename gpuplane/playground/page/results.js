// An answer as elements. All of it may be an attacker's words: it only ever becomes text.

const GROUPS = {
  denied: "Why it is refused", failed: "Rules that failed", warned: "Warnings", fixed: "Fixes",
  audited: "Only recorded",
};

const button = (label, does, attributes = {}) => {
  const made = element("button", label, { type: "button", class: "link", ...attributes });
  made.addEventListener("click", does);
  return made;
};
const lineButton = (line) => button(`line ${line}`, () => goTo(line));

function details(answer) {
  const several = answer.objects.length > 1;
  const notes = answer.notes.map((note) => element("li", note));
  return [
    ...facts(answer), ...answer.faults.map(faultItem),
    ...answer.objects.flatMap((one) => objectParts(one, several)),
    ...(answer.fixed ? [element("p", ["Pods have the annotation ", element("code", "gpuplane.io/fixed"),
      " besides, which names the rules."], { class: "hint" })] : []),
    ...poolParts(answer.objects),
    ...(answer.objects.length ? [element("p", ["Queues, and what runs already, are not looked at here; ",
      element("code", "gpuplane lint"), " judges queues, Services and the programs in containers."],
    { class: "hint" })] : []),
    ...(notes.length ? [element("h2", "Notes"), element("ul", notes)] : []),
  ];
}

const faultItem = (fault) => element("p", [
  lineButton(fault.line), fault.column ? `, column ${fault.column}: ` : ": ", fault.message,
], { class: "fault" });

function objectParts(one, several) {
  const title = `${one.subject} in ${one.namespace}: ${one.allowed ? "admitted" : "refused"} `;
  const parts = several ? [element("h2", [title, lineButton(one.line)])] : [];
  const indexed = one.findings.map((finding, index) => ({ finding, index }));
  for (const [effect, name] of Object.entries(GROUPS)) {
    const of = indexed.filter(({ finding }) => finding.effect === effect);
    if (!of.length) continue;
    const hint = effect === "fixed" ? [" ", element("small", "choose one to see its lines")] : [];
    const alike = Map.groupBy(of, ({ finding }) => JSON.stringify([finding.rule, finding.message]));
    parts.push(element(several ? "h3" : "h2", [name, ...hint]),
      element("ul", [...alike.values()].map(findingItem), { class: `findings ${effect}` }));
  }
  if (one.diff.length) {
    const name = one.allowed ? "What is created" : "What admission would make of it";
    parts.push(element(several ? "h3" : "h2", name), diffBlock(one));
  }
  const section = element("section", parts, { "aria-label": one.subject });
  letChoose(section);
  return [section];
}

// One item for what a rule finds in the same way in several pods.
function findingItem(alike) {
  const [{ finding }] = alike;
  const { rule } = finding;
  const isFix = finding.effect === "fixed";
  const name = isFix ? button(rule, () => {}, { "aria-pressed": "false" }) : element("b", rule);
  const where = finding.cluster ? `In ${finding.cluster}: ` : "";
  return element("li", [
    name, element("span", `${where}${finding.message}${isFix ? "" : ` ${finding.remedy}`}`),
    element("span", [...alike.flatMap((one) => [lineButton(one.finding.line), " "]),
      button("why", () => openRule(rule), { "aria-label": `why ${rule}` })]),
  ], isFix ? { "data-finding": alike.map(({ index }) => index).join(" ") } : {});
}

const TAGS = { "+": "ins", "-": "del", " ": "span", "@": "i" };

function diffBlock(one) {
  const rows = one.diff.map(({ sign, text, finding }, index) => {
    const isFirst = finding !== null && one.diff[index - 1]?.finding !== finding;
    return element(TAGS[sign], isFirst ? [text, element("b", one.findings[finding].rule)] : text,
      finding === null ? {} : { "data-finding": finding });
  });
  return element("pre", rows, { class: "diff", tabindex: "0", "aria-label": "Difference" });
}

// Lights the lines of the fix that is pointed at or has the focus, else of the one that is chosen.
function letChoose(section) {
  let chosen = null;
  const fixes = section.querySelector("ul.fixed");
  const of = (event) => event.target.closest("[data-finding]")?.dataset.finding ?? chosen;
  const light = (findings) => {
    const lit = findings?.split(" ") ?? [];
    for (const each of section.querySelectorAll("[data-finding]")) {
      each.classList.toggle("on", lit.includes(each.dataset.finding.split(" ")[0]));
    }
    const box = section.querySelector(".diff");
    const line = box?.querySelector(".on");
    if (line) box.scrollTop = line.offsetTop - 24;
  };
  fixes?.addEventListener("pointerover", (event) => light(of(event)));
  fixes?.addEventListener("focusin", (event) => light(of(event)));
  fixes?.addEventListener("pointerleave", () => light(chosen));
  fixes?.addEventListener("focusout", () => light(chosen));
  fixes?.addEventListener("click", (event) => {
    const pressed = event.target.closest("[aria-pressed]");
    if (!pressed) return;
    chosen = pressed.ariaPressed === "true" ? null : of(event);
    for (const each of fixes.querySelectorAll("[aria-pressed]")) {
      each.ariaPressed = String(each === pressed && chosen !== null);
    }
    light(chosen);
    if (chosen !== null) section.querySelector(".diff .on")?.scrollIntoView({ block: "nearest" });
  });
}

// A table for all pods that the same pools hold for the same reasons.
function poolParts(objects) {
  const all = objects.flatMap((one) => one.pods.map((pod) => ({ subject: one.subject, pod })));
  const by = Map.groupBy(all, ({ pod }) => JSON.stringify([pod.cluster, pod.asks, pod.pools]));
  return [...by.values()].flatMap((alike) => {
    const [{ pod }] = alike;
    const subjects = [...new Set(alike.map(({ subject }) => subject))].join(", ");
    const title = element("h2", ["Pools ", element("small",
      `for ${by.size > 1 ? `${subjects}: ` : ""}each pod of ${asked(pod) || "resource claims"}`)]);
    return pod.pools.length ? [title, poolTable(pod)]
      : [title, element("p", "It holds resource claims, which alone say what it gets.")];
  });
}

function poolTable(pod) {
  const head = ["Pool", "Fits", "Why not", "A pod, an hour"];
  const rows = pod.pools.toSorted((a, b) => Boolean(a.reason) - Boolean(b.reason)).map((pool) => {
    const hour = pool.hour === null ? "not known" : `${amount(pool.hour)} ${pool.currency}`;
    return element("tr", [
      element("th", pool.pool, { scope: "row" }), element("td", pool.reason ? "no" : "yes"),
      element("td", pool.reason), element("td", pool.reason ? "" : hour),
    ], pool.reason ? {} : { class: "yes" });
  });
  return element("table", [
    element("thead", element("tr", head.map((name) => element("th", name, { scope: "col" })))),
    element("tbody", rows),
  ]);
}
