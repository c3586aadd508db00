"""The command line of minigrad: commands, and what they print."""
