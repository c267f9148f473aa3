"""Commands that copy images from one registry to another, for all platforms that they are for."""

import shlex
from collections.abc import Callable, Mapping

from policies.image import read_image


def copy_command(tool: str, original: str, mirrored: str) -> str:
    """Return the command that copies an image to its place in a mirror, with all platforms.

    One with a digest is read by that; it is written by its tag, where it has one, as no program
    writes to both.
    https://github.com/containers/skopeo/blob/main/docs/skopeo-copy.1.md,
    https://oras.land/docs/commands/oras_cp and
    https://github.com/google/go-containerregistry/blob/main/cmd/crane/doc/crane_copy.md
    """
    return shlex.join(COPY_TOOLS[tool](_read_from(original), _written_to(mirrored)))


def _read_from(name: str) -> str:
    image = read_image(name)
    return f"{image.repository}@{image.digest}" if image.digest else name


def _written_to(name: str) -> str:
    return name.partition("@")[0] if read_image(name).tag else name


COPY_TOOLS: Mapping[str, Callable[[str, str], list[str]]] = {
    "skopeo": lambda one, other: [
        *("skopeo", "copy", "--all", "--preserve-digests"),
        *(f"docker://{one}", f"docker://{other}"),
    ],
    "oras": lambda one, other: ["oras", "cp", one, other],
    "crane": lambda one, other: ["crane", "copy", one, other],
}
"""By the name of a program, the words of its command from one image and the place of its copy."""
