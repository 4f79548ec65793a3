"""Messages of failures, without the parts that differ from URL to URL."""

import re
from collections.abc import Mapping
from typing import Any

_PARTS = (
    # First, because quoted text may have a URL. An apostrophe inside a word is not a quotation mark.
    (re.compile(r"(?<!\w)'.*?'(?!\w)"), "'…'"),
    (re.compile(r"\b(?!http://host/path)[A-Za-z][A-Za-z0-9+.-]*://[^\s,;]*[^\s,;:.]"), "the origin"),
    (re.compile(r"\b\d+x\d+\b"), "WxH"),
    (re.compile(r"\b\d+ of \d+ bytes\b"), "N of N bytes"),
    (re.compile(r"\b\d+ bytes\b"), "N bytes"),
)

# What img2dataset reports for images that the options leave out.
_FILTERS = {
    "--min-size": "image too small", "--max-area": "image area too large", "--max-aspect": "aspect ratio too large",
}

MISMATCH = "hash mismatch"


def message(result: Mapping[str, Any]) -> str:
    """Returns the class of the failure of a result."""
    told = str(result["error"]["message"])
    if result["outcome"] == "filtered":
        for option, words in _FILTERS.items():
            if option in told:
                return words
    for pattern, replacement in _PARTS:
        told = pattern.sub(replacement, told)
    return told
