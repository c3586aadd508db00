"""One file a command: what it takes, and in which order the work is done."""
