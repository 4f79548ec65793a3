"""The command `cellophane-dataset`."""

import argparse
import ast
import inspect
import signal
import sys
import types
import typing
from collections.abc import Callable
from typing import Any

from .dataset import download
from .failures import FolderInUseError, ShardError, ToolError

SWITCHES = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def switch(text: str) -> bool:
    """Returns the value of a parameter that is true or false."""
    if text.lower() not in SWITCHES:
        raise argparse.ArgumentTypeError(f"{text!r} is neither True nor False")
    return SWITCHES[text.lower()]


def names(text: str) -> list[str]:
    """Returns a list that is written as in Python, or with commas."""
    if text.startswith(("[", "(")):
        try:
            return [str(one) for one in ast.literal_eval(text)]
        except (SyntaxError, ValueError):
            text = text.strip("[]()")
    return [one.strip().strip("'\"") for one in text.split(",") if one.strip()]


def optional(read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Returns a reader that takes None in addition."""
    return lambda text: None if text == "None" else read(text)


def reader(kind: Any) -> Callable[[str], Any]:
    """Returns the function that reads a value of a type."""
    if isinstance(kind, types.UnionType):
        return optional(reader(typing.get_args(kind)[0]))
    if typing.get_origin(kind) is not None:
        return names
    return switch if kind is bool else typing.cast(Callable[[str], Any], kind)


def parser() -> argparse.ArgumentParser:
    """Returns the parser, which has the parameters of `download`."""
    result = argparse.ArgumentParser(
        prog="cellophane-dataset", allow_abbrev=False,
        description="Load the images of a list, and write them in shards with their metadata.",
        epilog="The parameters are those of img2dataset. Example: cellophane-dataset --url_list=urls.parquet "
               "--input_format=parquet --output_format=webdataset --output_folder=set")
    result.add_argument("list", nargs="?", default=argparse.SUPPRESS, metavar="LIST", help="the value of --url_list")
    for name, parameter in inspect.signature(download).parameters.items():
        if name == "tool_options":
            continue
        spellings = list(dict.fromkeys([f"--{name}", f"--{name.replace('_', '-')}"]))
        is_needed = parameter.default is inspect.Parameter.empty
        shown = "required, if LIST is not given" if is_needed else f"default: {parameter.default}"
        more: dict[str, Any] = {"nargs": "?", "const": True} if parameter.annotation is bool else {}
        result.add_argument(*spellings, dest=name, type=reader(parameter.annotation), default=argparse.SUPPRESS,
                            metavar="VALUE", help=shown, **more)
    result.add_argument("--tool_options", "--tool-options", dest="tool_options", action="append", metavar="OPTION",
                        default=argparse.SUPPRESS, help="add an option of `cellophane prefetch`, such as "
                        "--tool_options=--per-host --tool_options=8; repeatable")
    return result


def parsed(arguments: list[str] | None) -> dict[str, Any]:
    """Returns the parameters of `download` that the command line has."""
    result = parser()
    given = vars(result.parse_args(arguments))
    if "list" in given and "url_list" in given:
        result.error("the list is given twice; remove LIST or --url_list")
    if "list" in given:
        given["url_list"] = given.pop("list")
    if "url_list" not in given:
        result.error("give a list, such as --url_list=urls.txt")
    return given


def main(arguments: list[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    signal.signal(signal.SIGTERM, _interrupt)
    given = parsed(arguments)
    try:
        download(**given)
    except KeyboardInterrupt:
        return 130
    except (ValueError, OSError, ModuleNotFoundError, FolderInUseError, ShardError, ToolError) as error:
        print(f"cellophane-dataset: {error}", file=sys.stderr)
        return 64 if isinstance(error, ValueError) else 1
    return 0


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
