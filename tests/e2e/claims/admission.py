"""What the API server refuses by itself, by the policies of a release."""

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.api_connection import ApiError
from tests.e2e.polling import polls
from tests.e2e.scheduling.placements import PATIENCE_SECONDS


def wait_until_refused(client: ApiClient, document: Document) -> ApiError:
    """Try to create an object until the API server, which reads of policies late, refuses it."""
    for _ in polls(PATIENCE_SECONDS):
        try:
            client.create(document, dryRun="All")
        except ApiError as error:
            return error
    raise TimeoutError(f"it is still admitted after {PATIENCE_SECONDS} s")
