// The page: what is chosen and pasted is asked about, and the answer shown.

const DATA = JSON.parse(document.getElementById("data").textContent);
const AS_WRITTEN = ""; // the choice of no namespace
const MOST_NUMBERED = 5000; // lines that are numbered
const SLOW = 500; // milliseconds without an answer until that is said
const PAUSE = 400; // milliseconds without a key until the manifest is asked about
const at = (id) => document.getElementById(id);
let waiting = 0;
let asked = 0;

const option = (value, label = value) => element("option", label, { value });

function fillChoices() {
  at("cluster").append(...DATA.clusters.map((one) => option(one.name)));
  const groups = Map.groupBy(DATA.examples.entries(), ([, example]) => example.source);
  at("example").append(option("", "choose one"), ...[...groups].map(([source, entries]) =>
    element("optgroup", entries.map(([index, example]) => option(String(index), example.name)),
      { label: source })));
}

function fillNamespaces(chosen = AS_WRITTEN) {
  const cluster = DATA.clusters.find((one) => one.name === at("cluster").value);
  const select = at("namespace");
  const kept = cluster.namespaces.includes(chosen) ? chosen : AS_WRITTEN;
  select.replaceChildren(option(AS_WRITTEN, "as written"),
    ...cluster.namespaces.map((name) => option(name)));
  select.value = kept;
}

function question() {
  return {
    cluster: at("cluster").value, namespace: at("namespace").value, manifest: at("manifest").value,
  };
}

function say(kind, text) {
  at("verdict").className = kind;
  at("verdict").textContent = text;
}

async function check() {
  clearTimeout(waiting);
  const number = ++asked;
  if (!at("manifest").value.trim()) {
    say("", "Paste a manifest, or choose an example.");
    at("details").replaceChildren();
    mark([], []);
    return;
  }
  const slow = setTimeout(() => say("", WAIT), SLOW);
  try {
    const answer = await ask(question());
    if (number === asked) show(answer);
  } catch (error) {
    if (number !== asked) return;
    say("bad", `No answer: ${error.message}`);
    at("details").replaceChildren();
  } finally {
    clearTimeout(slow);
  }
}

function show(answer) {
  say(...verdict(answer));
  at("details").replaceChildren(...details(answer, goTo, openRule));
  const findings = answer.objects.flatMap((one) => one.findings);
  const bad = findings.filter((one) => ["denied", "failed"].includes(one.effect));
  mark([...answer.faults, ...bad], findings);
}

function mark(bad, others) {
  const lines = Math.min(at("manifest").value.split("\n").length, MOST_NUMBERED);
  const kinds = new Map(others.map((one) => [one.line, "warn"]));
  for (const one of bad) kinds.set(one.line, "bad");
  at("gutter").replaceChildren(...Array.from({ length: lines }, (_, index) =>
    element("div", String(index + 1), { class: kinds.get(index + 1) ?? "" })));
  at("gutter").scrollTop = at("manifest").scrollTop;
}

function goTo(line) {
  const field = at("manifest");
  const lines = field.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  field.focus();
  field.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  const height = field.scrollHeight / lines.length;
  field.scrollTop = Math.max(0, (line - 5) * height);
}

function openRule(name, opener) {
  const panel = at("rule");
  const cluster = DATA.clusters.find((one) => one.name === at("cluster").value);
  const page = Object.hasOwn(DATA.rules, name) ? DATA.rules[name] : null;
  const own = Object.hasOwn(cluster.own, name) ? cluster.own[name] : "no page";
  const close = element("button", "Close", { type: "button", class: "close" });
  close.addEventListener("click", () => {
    panel.hidden = true;
    (opener.isConnected ? opener : at("results")).focus();
  });
  panel.replaceChildren(close, ...(page === null
    ? [element("h2", name), element("p", "A rule of the platform team's own:"), element("pre", own)]
    : markdown(page, 2)));
  panel.hidden = false;
  panel.focus();
}

async function share() {
  const link = new URL(location.href);
  link.hash = await fragmentOf(question());
  history.replaceState(null, "", link.hash);
  at("link").value = link.href;
  at("link-label").hidden = false;
  try {
    await navigator.clipboard.writeText(link.href);
    at("shared").value = "Copied. Whoever has the link has the manifest.";
  } catch {
    at("shared").value = "Copy it from the field below. Whoever has it has the manifest.";
  }
}

async function openShared() {
  try {
    const shared = await sharedIn(location.hash);
    if (shared === null) return;
    const known = DATA.clusters.some((one) => one.name === shared.cluster);
    if (known) at("cluster").value = shared.cluster;
    fillNamespaces(shared.namespace);
    at("manifest").value = shared.manifest;
    await check();
    if (!known) say("bad", `The link names the cluster ${shared.cluster}, which is not here.`);
  } catch (error) {
    say("bad", `The link is broken: ${error.message}`);
  }
}

function listen() {
  at("cluster").addEventListener("change", () => {
    fillNamespaces(at("namespace").value);
    check();
  });
  at("namespace").addEventListener("change", check);
  at("example").addEventListener("change", () => {
    const example = DATA.examples[Number(at("example").value || -1)];
    if (!example) return;
    at("cluster").value = example.cluster || at("cluster").value;
    fillNamespaces();
    at("manifest").value = example.text;
    check();
  });
  at("manifest").addEventListener("input", () => {
    mark([], []);
    clearTimeout(waiting);
    waiting = setTimeout(check, PAUSE);
  });
  at("manifest").addEventListener("scroll", () => { at("gutter").scrollTop = at("manifest").scrollTop; });
  at("manifest").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) check();
  });
  at("form").addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
  at("share").addEventListener("click", share);
  addEventListener("hashchange", openShared);
}

fillChoices();
fillNamespaces();
listen();
mark([], []);
say("", "Paste a manifest, or choose an example.");
openShared();
