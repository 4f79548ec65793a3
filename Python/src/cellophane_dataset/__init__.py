"""Image data sets from lists of URLs, with the parameters and the layout of img2dataset."""

from .dataset import download
from .failures import ShardError

__all__ = ["ShardError", "download"]
__version__ = "0.1.0"
