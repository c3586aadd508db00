"""The sentences of a backward pass, written once for the terminal, for paper and for the page in a browser.

Each is a template with names in braces. Python fills them in with ``str.format``; the page has ``TEMPLATES`` in its
data, and fills them in likewise. Names and numbers come in as texts that are ready to be shown.
"""

from __future__ import annotations

FORWARD = "Forward: each node from its operands"
BACKWARD = "Backward: each node, once all that use it are done, gives its gradient to its operands"
RESULT = "Result"
CHECK = "Check: each input moved by a step, and how the output changes"
CHECK_BY_HAND = "Check by hand: each input moved by a whole 1"

TEMPLATES = {
    # Forward.
    "input": "{node} = {data}",
    "operation": "{node} = {expression} = {data}",
    "by": "∂{node}/∂{operand}",
    "slope": "∂{node}/∂{operand} = {slope}",
    # Backward: the seed, and each node's turn.
    "seed": "{output}.grad = {one}",
    "seed_why": "the output begins with 1: as {output} grows, so does {output}",
    "heading": "from {node} to its operand {operands}",
    "heading_many": "from {node} to its operands {operands}",
    "turn_first": "{node} is the output",
    "turn": "all that use {node} are done: {users}",
    "more": "{some} and {number} more",
    # What arrives at an operand.
    "contribution": "{target}.grad += {node}.grad * {local} = {product}",
    "assigned": "{target}.grad = {node}.grad * {local} = {product}",
    "product": "{upstream} * {slope}",
    "total": "{target}.grad = {total}",
    "sum": "{before} + {product} = {total}",
    "only": "its only contribution",
    "first": "first contribution of {of}",
    "later": "contribution {ordinal} of {of}",
    # The result.
    "unused": "{output} does not depend on {node}: {node}.grad stays 0",
    "no_inputs": "{output} depends on no variable",
    "grows": "if {node} grows by a little, {output} grows {times} times that",
    "falls": "if {node} grows by a little, {output} falls {times} times that",
    "as_much": "if {node} grows by a little, {output} grows as much",
    "falls_as_much": "if {node} grows by a little, {output} falls as much",
    "still": "if {node} changes by a little, {output} stays as it is",
    "not_finite": "the gradient of {output} by {node} is not a finite number",
    # The check by a step, and by a whole 1.
    "quotient": "{moved}: slope {slope}, within {error}",
    "no_step": "{node}: no step leads to a number",
    "check_agrees": "agrees with {node}.grad = {grad}",
    "check_differs": "differs from {node}.grad = {grad}",
    "check_blind": "no step can tell: {node}.grad = {grad} is lost in rounding",
    "check_kink": "a kink of {kinks}: {node}.grad = {grad} is a convention's{by}",
    "not_checked": "{number} more inputs are not checked: it would take long",
    "moved": "{node} from {start} to {moved}",
    "changes": ": {output} from {before} to {after}, by {change}",
    "outside": "no number: {why}",
    "whole_agrees": "as {node}.grad says",
    "whole_curved": "not {grad}: the slope changes on the way, and {node}.grad is the slope at the start",
    "whole_lost": "not {grad}: a change by 1 is lost in rounding",
    "whole_kink": "not {grad}: there is a kink on the way, of {kinks}",
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
