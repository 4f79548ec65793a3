"""The errors of the package."""


class ToolError(RuntimeError):
    """The tool is missing, or one of its processes ended early."""


class ShardError(RuntimeError):
    """Some shards are incomplete after all attempts."""
