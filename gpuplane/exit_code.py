"""What the exit codes of `gpuplane` mean."""

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes; each member's words appear in the help and in the reference."""

    FINE = 0
    FINDINGS = 1
    WRONG_INPUT = 2
    ENVIRONMENT = 3
    INTERRUPTED = 130

    @property
    def words(self) -> str:
        """What the code means."""
        return {
            ExitCode.FINE: "success",
            ExitCode.FINDINGS: "a check, validation, `lint`, `admit`, `diff --exit-code`, "
            "`plan --fail-on` or `cost --fail-over-budget` found something, or a rule refuses a "
            "promotion",
            ExitCode.WRONG_INPUT: "wrong arguments or files; each fault is a line on stderr",
            ExitCode.ENVIRONMENT: "a tool or file on the machine is missing or cannot be reached",
            ExitCode.INTERRUPTED: "interrupted, as by Ctrl-C",
        }[self]


EXIT_CODES = "Exit codes:\n\n" + "\n".join(f"- `{code.value}`: {code.words}" for code in ExitCode)
"""What the help of every command ends with."""
