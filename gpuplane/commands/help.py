from typing import Annotated, Any

import typer

from gpuplane.completion import complete_commands
from gpuplane.errors import EXIT_CODES
from gpuplane.help_page import whole_help
from gpuplane.near_words import unknown_command
from gpuplane.terminal import print_text

EXIT_CODES_TOPIC = "exit-codes"


def help(  # noqa: A001 # as the command is called
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND",
            help="All by default; exit-codes explains the exit codes of all.",
            autocompletion=complete_commands,
        ),
    ] = None,
) -> None:
    """Explain a command, or exit-codes.

    ```console
    gpuplane help              # the list of commands
    gpuplane help plan         # all of its help, with the fields of -o json
    gpuplane help exit-codes
    ```
    """
    if words == [EXIT_CODES_TOPIC]:
        print_text(f"{EXIT_CODES.replace('`', '')}\n")
        return
    found: Any = context.find_root()
    longer = " ".join(words or ())
    for word in [longer] if longer in found.command.commands else words or ():
        commands = getattr(found.command, "commands", {})
        if word not in commands:
            context.fail(unknown_command(word, [*commands, EXIT_CODES_TOPIC]))
        found = typer.Context(commands[word], info_name=word, parent=found)
    is_group = hasattr(found.command, "commands")
    print_text(f"{found.get_help() if is_group else whole_help(found.command, found)}\n")
