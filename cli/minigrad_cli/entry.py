"""The process: from the shell's call to an exit code. Light, so that even an early Ctrl-C ends in good order."""

from __future__ import annotations

import gc
import os
import signal
import sys


def main() -> None:
    """Run the command line of this process and exit."""
    # A command lives for some 50 ms and leaves no cycles to speak of: collecting garbage would take a tenth of it.
    gc.disable()
    try:
        if hasattr(signal, "SIGPIPE"):
            # A reader that goes away (| head -1) ends us quietly, as it does other tools.
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        from minigrad_cli.app import run

        code = run([_as_utf8(argument) for argument in sys.argv[1:]])
        # From here on there is nothing to lose: a Ctrl-C ends the process at once.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    except KeyboardInterrupt:
        code = 130  # as in minigrad_cli.faults, which may not be there yet
    gc.freeze()
    sys.exit(code)


def _as_utf8(argument: str) -> str:
    """Return an argument read as UTF-8, also where the locale made something else of it."""
    if argument.isascii():
        return argument
    return os.fsencode(argument).decode("utf-8", "surrogateescape")
