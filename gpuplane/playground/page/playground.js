// The page: what is chosen and pasted is asked about, and the answer shown.

const DATA = JSON.parse(document.getElementById("data").textContent);
const AS_WRITTEN = ""; // the choice of no namespace
const SLOW = 500; // milliseconds without an answer until that is said
const PAUSE = 300; // milliseconds without a key until the manifest is asked about
const EXAMPLE = "#try.";
const at = (id) => document.getElementById(id);
let waiting = 0;
let asks = 0;
let fixed = "";

const option = (value, label = value) => element("option", label, { value });
const clusterOf = (name) => DATA.clusters.find((one) => one.name === name);

function fillChoices() {
  const [others, own] = [true, false].map((is) => DATA.examples.filter((one) => one.of_rule === is));
  at("examples").append(...own.map(({ name }) =>
    element("a", name, { href: `${EXAMPLE}${encodeURIComponent(name)}` })));
  at("problem").append(option("", `choose one of ${others.length}`),
    ...others.map(({ name }) => option(name)));
  at("cluster").append(...DATA.clusters.map(({ name }) => option(name)));
}

function choose(cluster, namespace) {
  at("cluster").value = cluster;
  const { namespaces } = clusterOf(cluster);
  at("namespace").replaceChildren(option(AS_WRITTEN, "as written"), ...namespaces.map((name) => option(name)));
  at("namespace").value = namespaces.includes(namespace) ? namespace : AS_WRITTEN;
}

const question = () => ({
  cluster: at("cluster").value, namespace: at("namespace").value, manifest: field.value,
});

function say(kind, text) {
  at("verdict").className = kind;
  at("verdict").textContent = text;
  document.title = `${text.replace(/[.:]?$/, ":")} gpuplane playground`;
}

function show(answer) {
  const [first] = answer.objects;
  say(...verdict(answer));
  const what = answer.objects.length > 1 ? `${answer.objects.length} objects`
    : first && `${first.subject} in ${first.namespace}`;
  at("about").textContent = what ? `${what} on ${at("cluster").value}` : at("cluster").value;
  at("details").replaceChildren(...details(answer));
  fixed = answer.objects.every((one) => one.allowed) ? answer.fixed : "";
  at("copy").hidden = !fixed;
  at("copied").value = "";
  mark(marksOf(answer));
}

function empty(kind, text) {
  say(kind, text);
  at("about").textContent = "";
  at("details").replaceChildren();
  at("copy").hidden = true;
}

async function check() {
  clearTimeout(waiting);
  const number = ++asks;
  if (!field.value.trim()) return empty("", "Paste a manifest, or choose an example.");
  const slow = setTimeout(() => say("", WAIT), SLOW);
  try {
    const answer = await ask(question());
    if (number === asks) show(answer);
  } catch (error) {
    if (number === asks) empty("bad", `No answer: ${error.message}`);
  } finally {
    clearTimeout(slow);
  }
}

// The worst of a line counts; of several that are fixed, their number.
function marksOf(answer) {
  const findings = Map.groupBy(answer.objects.flatMap((one) => one.findings), (one) => one.line);
  const marks = [...findings].map(([line, of]) => {
    const bad = of.find(({ effect }) => effect === "denied" || effect === "failed");
    const warned = of.find(({ effect }) => effect === "warned");
    const note = (bad ?? warned)?.rule ?? (of.length > 1 ? `${of.length} fixes` : of[0].rule);
    return { line, kind: bad ? "bad" : warned ? "warn" : "fixed", note };
  });
  return [...marks, ...answer.faults.map(({ line, message }) => ({ line, kind: "bad", note: message }))];
}

function openRule(name) {
  const { own } = clusterOf(at("cluster").value);
  const close = button("Close", () => at("rule").close(), { class: "" });
  at("rule").replaceChildren(close, ...(Object.hasOwn(DATA.rules, name)
    ? markdown(DATA.rules[name], 2)
    : [element("h2", name), element("p", "A rule of the platform team's own:"),
      element("pre", Object.hasOwn(own, name) ? own[name] : "no page")]));
  at("rule").showModal();
}

async function copyText(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    at("copied").value = said;
  } catch {
    at("copied").value = "The browser does not let this page copy.";
  }
}

async function share() {
  history.replaceState(null, "", await fragmentOf(question()));
  await copyText(location.href, "Copied. Whoever has the link has the manifest.");
}

async function openFragment() {
  try {
    const shared = await sharedIn(location.hash);
    if (shared) return await openShared(shared);
    const name = decodeURIComponent(location.hash.slice(EXAMPLE.length));
    const named = location.hash.startsWith(EXAMPLE) && DATA.examples.find((one) => one.name === name);
    if (named || !field.value) await openExample(named || DATA.examples[0]);
  } catch (error) {
    empty("bad", `The link is broken: ${error.message}`);
  }
}

async function openShared({ cluster, namespace, manifest }) {
  const known = clusterOf(cluster) !== undefined;
  choose(known ? cluster : at("cluster").value, namespace);
  await open(manifest);
  if (!known) say("bad", `The link names the cluster ${cluster}, which is not here.`);
}

// An example of no team's namespace is asked about in one, where all rules look at it.
async function openExample({ name, cluster, text }) {
  const where = cluster || at("cluster").value;
  choose(where, cluster ? AS_WRITTEN : clusterOf(where).namespaces[0]);
  for (const link of at("examples").querySelectorAll("a")) {
    link.ariaCurrent = link.textContent === name ? "true" : null;
  }
  at("problem").value = [...at("problem").options].some(({ value }) => value === name) ? name : "";
  await open(text);
}

async function open(manifest) {
  field.value = manifest;
  draw();
  mark([]);
  await check();
}

function listen() {
  at("cluster").addEventListener("change", () => {
    choose(at("cluster").value, at("namespace").value);
    check();
  });
  at("namespace").addEventListener("change", check);
  at("problem").addEventListener("change", () => {
    if (at("problem").value) location.hash = `${EXAMPLE}${encodeURIComponent(at("problem").value)}`;
  });
  field.addEventListener("input", () => {
    draw();
    clearTimeout(waiting);
    waiting = setTimeout(check, PAUSE);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) check();
  });
  at("copy").addEventListener("click", () => copyText(fixed, "Copied."));
  at("share").addEventListener("click", share);
  addEventListener("hashchange", openFragment);
}

fillChoices();
choose(DATA.clusters[0].name, AS_WRITTEN);
listen();
openFragment();
