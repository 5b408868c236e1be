"""The command line: `mt-gym COMMAND`."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

import gymnasium as gym
import typer

from mt_gym.cli.app import app
from mt_gym.cli.words import Interrupted
from mt_gym.errors import MtGymError

__all__ = ["call", "main"]


def main() -> None:
    """Run the command of the process's arguments and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without our signs
            stream.reconfigure(errors="replace")
    sys.exit(call(sys.argv[1:]))


def call(arguments: Sequence[str]) -> int:
    """Run one command.

    Bad input, whatever its cause, becomes one line on stderr.

    Returns:
        The exit code: 0 only on success, 130 after an interruption.
    """
    try:
        code = app(list(arguments), prog_name="mt-gym", standalone_mode=False)
        if sys.stdout is not None:  # none where it was closed before the start
            sys.stdout.flush()
        if code == Interrupted.exit_code:
            _say("interrupted")
        return code if isinstance(code, int) else 0
    except Interrupted as error:
        _say(error.format_message())
        return error.exit_code
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        command = "mt-gym" if context is None else context.command_path
        _say(f"{error.format_message()} (see '{command} --help')")
        return error.exit_code
    except (MtGymError, gym.error.Error) as error:
        _say(str(error))
    except BrokenPipeError:
        # The reader has gone; what Python still holds for it goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        _say(str(error))
    return 1


def _say(message: str) -> None:
    line = "; ".join(part.strip() for part in message.splitlines() if part.strip())
    sys.stderr.write(f"mt-gym: {line}\n")
