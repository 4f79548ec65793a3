"""The errors of the package."""


class ToolError(RuntimeError):
    """The tool is missing, or one of its processes ended early."""


class FolderInUseError(RuntimeError):
    """Another download writes to the output folder."""


class ShardError(RuntimeError):
    """Some shards are incomplete after all attempts."""


def shortened(message: str, limit: int = 300) -> str:
    """Returns the beginning and the end of a message, in one line of at most `limit` characters."""
    line = " ".join(message.split())
    half = (limit - 1) // 2
    return line if len(line) <= limit else f"{line[:half]}…{line[-half:]}"
