from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote


class Cloud(ThreadingHTTPServer):
    """A server on loopback that answers by what a path contains, the first that does."""

    answers: dict[str, str]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Answer(BaseHTTPRequestHandler):
    server: Cloud

    def do_GET(self) -> None:
        path = unquote(self.path)
        content = next((text for part, text in self.server.answers.items() if part in path), None)
        self.send_response(404 if content is None else 200)
        self.end_headers()
        self.wfile.write((content or "").encode())

    def log_message(self, *_arguments: object) -> None:
        pass
