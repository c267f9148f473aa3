// A link keeps what is on the page in its fragment, which browsers send to nobody.

const SHARED = "#v1.";
const MOST_SHARED = 2 * 1024 * 1024; // bytes that are unpacked of a link, whoever wrote it

async function through(bytes, transform, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const chunks = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error(`it unpacks to more than ${most} bytes`);
    }
    chunks.push(value);
  }
}

async function fragmentOf(shared) {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const packed = await through(bytes, new CompressionStream("deflate-raw"), Infinity);
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return SHARED + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// What a fragment holds; null where it is no such fragment. Throws where it is broken.
async function sharedIn(fragment) {
  if (!fragment.startsWith(SHARED)) return null;
  const base64 = fragment.slice(SHARED.length).replaceAll("-", "+").replaceAll("_", "/");
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const bytes = await through(packed, new DecompressionStream("deflate-raw"), MOST_SHARED);
  const shared = JSON.parse(new TextDecoder().decode(bytes));
  const fields = ["cluster", "namespace", "manifest"];
  if (!fields.every((field) => typeof shared?.[field] === "string")) {
    throw new Error("it lacks a cluster, a namespace or a manifest");
  }
  return shared;
}
