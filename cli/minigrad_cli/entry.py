"""The process: from the shell's call to an exit code. Light, so that even an early Ctrl-C ends in good order."""

from __future__ import annotations

import gc
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

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130  # as in minigrad_cli.faults, which may not be there yet
    gc.freeze()
    sys.exit(code)
