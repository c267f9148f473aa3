// What is read first: whether it is admitted, where it runs, what it costs and takes of its quota.

const found = (answer, effect) =>
  answer.objects.flatMap((one) => one.findings).filter((each) => each.effect === effect).length;

const count = (number, noun, many = `${noun}s`) => `${number} ${number === 1 ? noun : many}`;

function verdict(answer) {
  if (answer.faults.length) return ["bad", `Cannot be read: ${count(answer.faults.length, "fault")}.`];
  const fixed = found(answer, "fixed");
  const warned = found(answer, "warned");
  const refused = answer.objects.filter((one) => !one.allowed).length;
  if (refused) {
    const all = answer.objects.length;
    return ["bad", all === 1 ? `Refused, for ${count(found(answer, "denied"), "reason")}.`
      : `Refused: ${refused} of ${count(all, "object")}.`];
  }
  const how = [fixed ? `after ${count(fixed, "fix", "fixes")}` : "as it is",
    ...(warned ? [`with ${count(warned, "warning")}`] : [])].join(", ");
  const doubt = doubts(answer);
  if (doubt) return ["warn", `Admitted, ${how}, but ${doubt}`];
  const asks = answer.objects.some((one) => one.pods.length);
  return ["good", `Admitted, ${how}.${asks ? "" : " It asks for no GPU."}`];
}

// Why pods that are admitted may not start, or may be refused after all; the worst first.
function doubts(answer) {
  const placed = answer.objects.flatMap((one) => one.pods).filter((pod) => pod.pools.length);
  const without = placed.filter((pod) => !holding(pod).length).length;
  if (without) return `${count(without, "pod template")} fits no node of any pool and waits for ever.`;
  const over = answer.quotas.find((one) => one.asked > one.enforced);
  if (over) {
    return `not all of it starts: it asks for ${over.asked} ${noun(over.resource, over.asked)}, and the `
      + `quota of ${over.namespace} allows ${over.enforced}.`;
  }
  const open = answer.unjudged;
  return open.length ? `${count(open.length, "rule")} of the platform team's own `
    + `${open.length === 1 ? "is" : "are"} not judged here (${open.join(", ")}): ask gpuplane admit.`
    : "";
}

const noun = (resource, many) =>
  resource.endsWith("/gpu") ? (many === 1 ? "GPU" : "GPUs") : resource;
const asked = (pod) =>
  Object.entries(pod.asks).map(([name, many]) => `${many} ${noun(name, many)}`).join(" and ");
const holding = (pod) => pod.pools.filter((pool) => !pool.reason);
const amount = (number) =>
  number.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

function facts(answer) {
  const all = answer.objects.flatMap((one) => one.pods).filter((pod) => pod.pools.length);
  if (!all.length) return [];
  return [element("dl", [
    fact("Runs on", ...where(all)),
    ...(all.every((pod) => holding(pod).length) ? [fact("Costs an hour", ...cost(all))] : []),
    ...(answer.quotas.length ? [fact("Takes of its quota", ...answer.quotas.flatMap(quota))] : []),
  ], { class: "facts" })];
}

const fact = (name, ...values) =>
  element("div", [element("dt", name), ...values.map((value) => element("dd", value))]);
const small = (text) => element("small", text);

function where(all) {
  const by = Map.groupBy(all, (pod) => holding(pod).map((pool) => pool.pool).join(" or "));
  return [...by].map(([names, [first]]) => [
    names || element("span", "no pool", { class: "bad" }),
    small(`${holding(first).length} of ${count(first.pools.length, "pool")}`
      + `${first.cluster ? ` of ${first.cluster}` : ""}${by.size > 1 ? `, for ${asked(first)}` : ""}`),
  ]);
}

// From the cheapest pools to the dearest, of those whose price is known.
function cost(all) {
  const priced = all.map((pod) => ({
    many: pod.count ?? 1, prices: holding(pod).filter((pool) => pool.hour !== null),
  }));
  const groups = Map.groupBy(all, asked);
  const many = [...groups].map(([what, of]) => of.some((pod) => pod.count === null)
    ? `each pod of ${what}; how many there are, it does not say`
    : `${count(of.reduce((sum, pod) => sum + pod.count, 0), "pod")} of ${what}`).join(", ");
  const unknown = all.flatMap(holding).filter((pool) => pool.hour === null);
  const without = [...new Map(unknown.map((pool) => [pool.pool, pool.unpriced]))]
    .map(([pool, why]) => small(`${pool}: ${why}`));
  const known = priced.filter(({ prices }) => prices.length);
  if (!known.length) return [["not known", small(many), ...without]];
  const sum = (choose) => amount(known.reduce((total, { many: pods, prices }) =>
    total + pods * choose(...prices.map((pool) => pool.hour)), 0));
  const [least, most] = [sum(Math.min), sum(Math.max)];
  const more = known.length < priced.length ? " and more" : "";
  const { currency } = known[0].prices[0];
  return [[`${least === most ? least : `${least} to ${most}`} ${currency}${more}`, small(many), ...without]];
}

function quota(one) {
  const own = Object.values(one.pools).reduce((sum, each) => sum + each, 0);
  const on = Object.entries(one.pools).map(([pool, each]) => `${each} on ${pool}`).join(", ");
  const says = `${one.at_least ? "at least " : ""}${one.asked} of ${own} ${noun(one.resource, own)}`;
  const meter = element("meter", says, { min: 0, max: Math.max(own, 1), value: one.asked,
    "aria-label": says });
  const of = one.cluster ? ` of ${one.cluster}` : "";
  return [[
    element("span", says, one.asked > own ? { class: "bad" } : {}), meter,
    small(`${on}${of}. The ResourceQuota allows ${one.enforced} on all pools, with what others lend. `
      + "Current usage is not known here."),
  ]];
}
