"""Settings of the admission webhook that contradict each other."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.api_server_addresses import check_addresses
from charts_py.platform.draft import Draft


def check_webhook(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where there would be fewer replicas at most than at least."""
    replicas = draft.cluster.webhook.replicas
    if replicas.min > replicas.max:
        path = ("webhook", "replicas", "min")
        yield Problem(path, f"{replicas.min} is above the maximum", f"at most {replicas.max}")


def check_api_server(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each thing that is known of an API server that cannot be so.

    An API server shows webhooks a certificate where its flags say so, which managed ones do not:
    https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#authenticate-apiservers
    """
    path, api_server = ("webhook", "apiServer"), draft.cluster.webhook.api_server
    yield from check_addresses((*path, "addresses"), api_server.addresses)
    runs, authority = draft.provider.runs_api_server, (*path, "clientCa")
    if api_server.client_ca and runs:
        what = f"{runs} runs the API server, and lets nobody give it a certificate for webhooks"
        yield Problem(authority, what, "none here; `addresses` where they are known")
    elif api_server.client_names and not api_server.client_ca and draft.is_read(authority):
        what = "no authority vouches for these names"
        yield Problem((*path, "clientNames"), what, "only beside `clientCa`")
