"""``python -m minigrad``: the one door from the engine up to the command line."""

import sys

try:
    from minigrad_cli.entry import main
except ModuleNotFoundError as missing:
    # A checkout that was not installed: the engine is here, and the floors above are not.
    sys.exit(f"minigrad: error: {missing.name} is not installed\n  hint: in the checkout, pip install .")

if __name__ == "__main__":
    main()
