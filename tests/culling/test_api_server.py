"""What the API server is asked for at once."""

from __future__ import annotations

from charts_py.components.idle_gpus.objects import cron_job
from culling.api_server import _PAGE

_LARGEST_MIB = 1.5
"""What etcd takes of one object: `--max-request-bytes`, by default."""
_TIMES = 9
"""The answer, its text and its strings, these of four bytes a character."""


def test_a_page_of_the_largest_objects_fits_into_half_of_what_a_round_has() -> None:
    job = cron_job("registry.example.com/gpuplane:1", ())["spec"]["jobTemplate"]["spec"]
    (container,) = job["template"]["spec"]["containers"]
    has_mib = int(container["resources"]["limits"]["memory"].removesuffix("Mi"))
    assert has_mib / 2 >= _PAGE * _LARGEST_MIB * _TIMES
