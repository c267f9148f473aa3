// Runs Python for the page: https://pyodide.org/en/stable/usage/api/js-api.html
// It has the files that it is given, and can fetch no others.

// What Python lacks in a browser: libyaml, and a clock for each thread, of which there is one.
const START = `
import time, yaml
yaml.CSafeLoader, yaml.CSafeDumper = yaml.SafeLoader, yaml.SafeDumper
time.thread_time = time.perf_counter
from gpuplane.playground.playground_answer import BrowserClusters
BrowserClusters(facts)
`;
let clusters = null;

const importable = (source) => import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));

async function start(files) {
  globalThis.fetch = async (url) => {
    const name = String(url).split("/").at(-1);
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return name in files
      ? new Response(files[name], { headers: { "Content-Type": type } })
      : new Response(null, { status: 404 });
  };
  const { loadPyodide } = await importable(files["pyodide.mjs"]);
  const pyodide = await loadPyodide({
    indexURL: "https://pyodide.invalid/", // of which only the names of files matter
    createPyodideModule: (await importable(files["pyodide.asm.mjs"])).default,
    lockFileContents: new TextDecoder().decode(files["pyodide-lock.json"]),
  });
  pyodide.unpackArchive(files["msgspec.whl"], "wheel");
  pyodide.unpackArchive(files["rules.zip"], "zip");
  const locals = pyodide.toPy({ facts: new TextDecoder().decode(files["facts.json"]) });
  clusters = pyodide.runPython(START, { globals: locals });
}

self.addEventListener("message", async ({ data: { number, files, question } }) => {
  try {
    if (files) await start(files);
    self.postMessage({ number, answer: question && clusters.answer(question) });
  } catch (error) {
    self.postMessage({ number, error: error.message });
  }
});
