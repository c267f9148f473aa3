// Asks the server that the page is from, which is on this machine.

const WAIT = "Waiting for the answer.";

async function ask(question) {
  const answered = await fetch("answer", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(question),
  });
  if (!answered.ok) throw new Error(await answered.text());
  return answered.json();
}
