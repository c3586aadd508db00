"""``python -m minigrad``: the one door from the engine up to the command line."""

from minigrad_cli.entry import main

if __name__ == "__main__":
    main()
