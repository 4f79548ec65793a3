"""The column of EXIF fields."""

import json
from collections.abc import Mapping
from typing import Any


def exif_text(result: Mapping[str, Any]) -> str:
    """Returns the EXIF fields of a result as JSON text; `{}` without any."""
    return json.dumps(result.get("exif") or {})
