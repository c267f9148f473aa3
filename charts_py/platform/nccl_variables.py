"""The variables that NCCL reads, apart from those of its logs, profilers and inspectors.

`nccl_variables.txt` lists what `NCCL_PARAM`, `ncclGetEnv` and `getenv` name in `src` and `plugins`
of https://github.com/NVIDIA/nccl at 5067397c, of version 2.30.7.
"""

from functools import cache
from importlib.resources import files


@cache
def nccl_variables() -> frozenset[str]:
    text = (files(__package__) / "nccl_variables.txt").read_text(encoding="utf-8")
    return frozenset(text.split())
