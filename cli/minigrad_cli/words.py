"""The sentences of a backward pass, written once for the terminal, for paper and for the page in a browser.

Each is a template with names in braces. Python fills them in with ``str.format``; the page has ``TEMPLATES`` in its
data, and fills them in likewise. Names and numbers come in as texts that are ready to be shown.
"""

from __future__ import annotations

FORWARD = "Forward: each node from its operands"
BACKWARD = "Backward: each node, once all that use it are done, gives its gradient to its operands"

TEMPLATES = {
    # Forward.
    "input": "{node} = {data}",
    "operation": "{node} = {expression} = {numbers} = {data}",
    "slope": "∂{node}/∂{operand} = {slope}",
    # Backward: the seed, and each node's turn.
    "seed": "{output}.grad = 1",
    "seed_why": "the output begins with 1: as {output} grows, so does {output}",
    "heading": "from {node} to its operand {operands}",
    "heading_many": "from {node} to its operands {operands}",
    "turn_first": "{node} is the output",
    "turn": "all that use {node} are done: {users}",
    "more": "{some} and {number} more",
    # What arrives at an operand.
    "contribution": "{target}.grad += {node}.grad * {local} = {upstream} * {slope} = {product}",
    "assigned": "{target}.grad = {node}.grad * {local} = {upstream} * {slope} = {product}",
    "total": "{target}.grad = {total}",
    "sum": "{target}.grad = {before} + {product} = {total}",
    "only": "its only contribution",
    "first": "first contribution of {of}",
    "later": "contribution {ordinal} of {of}",
    # The result.
    "unused": "{output} does not depend on {node}: {node}.grad stays 0",
    "grows": "if {node} grows by a little, {output} grows {times} times that",
    "falls": "if {node} grows by a little, {output} falls {times} times that",
    "as_much": "if {node} grows by a little, {output} grows as much",
    "falls_as_much": "if {node} grows by a little, {output} falls as much",
    "still": "if {node} changes by a little, {output} stays as it is",
    "not_finite": "the gradient of {output} by {node} is not a finite number",
}


def say(template: str, **texts: object) -> str:
    """Return one of ``TEMPLATES`` filled in."""
    return TEMPLATES[template].format(**texts)


def meaning(gradient: str) -> str:
    """Return the template that tells what a gradient means, given the text that it is shown as."""
    size = gradient.lstrip("-")
    if size in ("inf", "nan"):
        return "not_finite"
    if size == "0":
        return "still"
    if size == "1":
        return "falls_as_much" if gradient != size else "as_much"
    return "falls" if gradient != size else "grows"
