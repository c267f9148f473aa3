"""The grammar of an image's name.

That of https://github.com/distribution/reference/blob/v0.6.0/regexp.go; registries are written in
lower case, as DNS compares them.
"""

_LABEL = "[a-z0-9]([a-z0-9-]*[a-z0-9])?"
_PORT = ":[0-9]+"

REGISTRY = rf"({_LABEL}(\.{_LABEL})*|\[[A-Fa-f0-9:]+\])({_PORT})?"
PART = "[a-z0-9]+(([._]|__|-+)[a-z0-9]+)*"
TAG = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}"
DIGEST = "sha256:[0-9a-f]{64}"

HOST = rf"({_LABEL}(\.{_LABEL})+({_PORT})?|{_LABEL}{_PORT}|\[[A-Fa-f0-9:]+\]({_PORT})?|localhost)"
"""A registry in front of a path; without a dot or a port it would be a folder of Docker Hub
(`splitDockerDomain` in https://github.com/distribution/reference/blob/v0.6.0/normalize.go)."""
