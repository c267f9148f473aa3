"""A model registry on loopback that answers as MLflow 3.17.2 did, which `answers.json` holds."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

ANSWERS = json.loads((Path(__file__).parent / "answers.json").read_text(encoding="utf-8"))
_API = "/api/2.0/mlflow/"
_ALIAS = "registered-models/alias?name=chat&alias=champion"


@dataclass
class Recorded:
    url: str = ""
    champion: str = "1"
    """The version of `chat` that the alias names."""
    tokens: list[str | None] = field(default_factory=list)
    """What each request showed."""

    def answer(self, asked: str) -> dict[str, Any]:
        if asked == _ALIAS and self.champion != "1":
            asked = f"model-versions/get?name=chat&version={self.champion}"
        found: dict[str, Any] = ANSWERS[asked]
        return found


@contextmanager
def recorded_registry() -> Iterator[Recorded]:
    state = Recorded()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_arguments: object) -> None:
            pass

        def do_GET(self) -> None:
            state.tokens.append(self.headers.get("Authorization"))
            found = state.answer(self.path.removeprefix(_API))
            self.send_response(found["status"])
            self.end_headers()
            self.wfile.write(json.dumps(found["answer"]).encode())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
