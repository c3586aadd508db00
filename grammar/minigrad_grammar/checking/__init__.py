"""Checking claims about a program: reading them, deciding them, and saying what probably went wrong.

docs/deciding.md tells how; every module here is one part of it.
"""

from minigrad_grammar.checking.checker import Checker
from minigrad_grammar.checking.claims import Claim, read_claim
from minigrad_grammar.checking.finding import Finding, Reason

__all__ = ["Checker", "Claim", "Finding", "Reason", "read_claim"]
