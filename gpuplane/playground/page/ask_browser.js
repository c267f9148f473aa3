// Has Python in the browser answer, in a worker: Pyodide, the rules and the facts of clusters are in
// the page, compressed. Nothing is fetched.

const WAIT = "Waiting for the answer: Python takes some seconds to start in this page.";
const PYTHON = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip",
  "pyodide-lock.json", "msgspec.whl", "rules.zip", "facts.json"];

async function unpacked(id) {
  const text = atob(document.getElementById(id).textContent);
  const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  return through(packed, new DecompressionStream("gzip"), Infinity);
}

function startWorker() {
  const source = document.getElementById("worker").textContent;
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const policy = globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: () => url });
  return new Worker(policy ? policy.createScriptURL("") : url);
}

// The next message of the worker that has this number.
function reply(worker, number) {
  return new Promise((resolve, reject) => {
    worker.addEventListener("error", (event) => {
      reject(new Error(event.message || "the worker that runs Python does not start"));
    });
    worker.addEventListener("message", function hear({ data }) {
      if (data.number !== number) return;
      worker.removeEventListener("message", hear);
      if (data.error === undefined) resolve(data.answer);
      else reject(new Error(data.error));
    });
  });
}

const STARTED = (async () => {
  const files = {};
  for (const name of PYTHON) files[name] = await unpacked(name);
  const worker = startWorker();
  const ready = reply(worker, 0);
  worker.postMessage({ number: 0, files });
  await ready;
  return worker;
})();
STARTED.catch(() => {}); // reported when a question is asked
let questions = 0;

async function ask(question) {
  const worker = await STARTED;
  const number = ++questions;
  const answer = reply(worker, number);
  worker.postMessage({ number, question: JSON.stringify(question) });
  return JSON.parse(await answer);
}
