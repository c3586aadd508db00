"""Pages for a browser: one file each, that loads nothing and runs nothing but what minigrad put in it."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from typing import Any

from minigrad_cli.text import printable


def escaped(text: str) -> str:
    """Return text as HTML, SVG and XML show it: nothing in it is markup, and no character of it is invisible."""
    return html.escape(printable(text))


def document(*, title: str, style: str, body: str, data: dict[str, Any] | None = None, script: str = "") -> str:
    """Return a whole page under a content-security policy that allows its own style and script, and no other.

    Args:
        title: the page's title, as plain text.
        style: its style sheet, minigrad's own.
        body: its content, as HTML.
        data: what the script finds as JSON in the element with the id "data".
        script: its script, minigrad's own.
    """
    policy = f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; base-uri 'none'"
    policy += "; form-action 'none'"
    # In a script element only "</" and "<!--" mean anything to a browser, and JSON has another way to write "<".
    content = json.dumps(data, allow_nan=False).replace("<", r"\u003c") if data else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n"
        + (f'<script type="application/json" id="data">{content}</script>\n' if content else "")
        + (f"<script>{script}</script>\n" if script else "")
        + "</body>\n</html>\n"
    )


def _digest(source: str) -> str:
    """Return what a policy calls an element with this content."""
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
