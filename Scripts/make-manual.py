#!/usr/bin/env python3
"""Writes the manual pages of the command-line tool: one page for the tool, and one for each command.

The texts are those of `--help`, which the tool prints as JSON with --experimental-dump-help, and of
`simulate --list metrics`. The exit codes and the environment variables are the tables in Documentation/CommandLine.md. The output is deterministic: pages have the
version of the tool and no date. Other pages in the folder are removed.

Needs Python 3.9. `make man` builds the tool and runs this script. To look at a page: man -l FILE.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = ROOT / "Documentation/CommandLine.md"

# Characters that roff would replace: by typographic quotes and hyphens, which cannot be pasted into a shell.
GLYPHS = {"\\": r"\(rs", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti", '"': r"\(dq"}
# An option within a sentence, or code in a Markdown table.
MARKED = re.compile(r"`([^`]+)`|(?<![\w/-])(--?[A-Za-z][\w-]*)")


def escaped(text):
    return "".join(GLYPHS.get(one) or (one if one.isascii() else rf"\[u{ord(one):04X}]") for one in text)


def line(text):
    """A line of text that roff does not take for a request."""
    return r"\&" + text if text.startswith(".") else text


def bold(text):
    return rf"\fB{escaped(text)}\fR"


def prose(text):
    """A line of running text, with options in bold."""
    parts, end = [], 0
    for match in MARKED.finditer(text):
        parts += [escaped(text[end : match.start()]), bold(match[1] or match[2])]
        end = match.end()
    return line("".join(parts) + escaped(text[end:]))


def placeholder(argument):
    return rf"<\fI{escaped(argument['valueName'])}\fR>"


def option_names(argument):
    """The names of an option, the short ones first."""
    names = sorted(argument["names"], key=lambda name: name["kind"] != "short")
    return [("--" if name["kind"] == "long" else "-") + name["name"] for name in names]


def value(argument):
    return " " + placeholder(argument) if argument["kind"] == "option" else ""


def path(command):
    return [*command.get("superCommands", []), command["commandName"]]


def reference(names):
    return bold("-".join(names)) + "(1)"


def sentence(argument):
    """The help of an argument, with its default and its values as in --help."""
    notes = []
    if values := argument.get("allValues"):
        notes.append("values: " + ", ".join(values))
    if (default := argument.get("defaultValue")) is not None:
        notes.append("default: " + default)
    return argument.get("abstract", "") + (f" ({'; '.join(notes)})" if notes else "")


def entry(heading, *paragraphs):
    lines = [".TP", heading]
    for index, paragraph in enumerate(paragraphs):
        lines += ([".IP"] if index else []) + [prose(paragraph)]
    return lines


def entries(arguments):
    """The descriptions of arguments. A flag and its inversion, which have one text, are one entry."""
    merged = []
    for argument in arguments:
        if argument["kind"] == "positional":
            heading = placeholder(argument)
        else:
            heading = ", ".join(map(bold, option_names(argument))) + value(argument)
        text = [sentence(argument), *argument.get("discussion", "").splitlines()]
        if merged and argument["kind"] == "flag" and merged[-1][1] == text:
            merged[-1][0] += ", " + heading
        else:
            merged.append([heading, text])
    return [one for heading, text in merged for one in entry(heading, *text)]


def options(arguments):
    """The options in the groups of --help. The ones that every command has are the last group."""
    groups = {}
    for argument in arguments:
        groups.setdefault(argument.get("sectionTitle"), []).append(argument)
    ungrouped = groups.pop(None, [])
    lines = [".SH OPTIONS"]
    for title, group in groups.items():
        lines += [f'.SS "{escaped(title)}"', *entries(group)]
    return lines + (['.SS "Other options"'] if groups else []) + entries(ungrouped)


def synopsis(command, arguments):
    words = [bold(" ".join(path(command)))]
    if "subcommands" in command:
        words.append(r"<\fIcommand\fR>")
    words.append(r"[\fIoptions\fR]")
    for argument in arguments:
        if argument["kind"] == "positional":
            word = placeholder(argument) + (" ..." if argument["isRepeating"] else "")
            words.append(f"[{word}]" if argument["isOptional"] else word)
        elif not argument["isOptional"]:
            words.insert(1, bold(option_names(argument)[-1]) + value(argument))
    return [".SH SYNOPSIS", " ".join(words)]


def description(command):
    """The paragraphs before "Examples:", and the examples."""
    text, _, examples = command.get("discussion", "").partition("Examples:\n")
    lines = [".SH DESCRIPTION"]
    for index, paragraph in enumerate([command["abstract"], *filter(None, text.strip().split("\n\n"))]):
        lines += [".PP"] if index else []
        lines += "\n.br\n".join(map(prose, paragraph.split("\n"))).split("\n")
    shown = [line(escaped(example.strip())) for example in examples.splitlines()]
    # The smaller indentation leaves 76 columns of a terminal's 80.
    return lines, [".SH EXAMPLES", ".nf", ".in 4n", *shown, ".fi"] if shown else []


def commands(command):
    lines = [".SH COMMANDS"] if "subcommands" in command else []
    for one in command.get("subcommands", []):
        if one["commandName"] == "help":
            lines += entry(bold("cellophane help") + r" <\fIcommand\fR>", "Show the options of a command.")
        else:
            lines += entry(reference(path(one)), one["abstract"])
    return lines


def table(heading):
    """The rows of the table below a heading of CommandLine.md."""
    section = TABLES.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [row.strip("| ").split(" | ", 1) for row in section.splitlines() if row.startswith("|")]
    if len(rows) < 3:
        sys.exit(f"make-manual: {TABLES} has no table below '## {heading}'; restore it, or change this script")
    return [one for first, text in rows[2:] for one in entry(bold(first.replace("`", "")), text)]


def metrics(listed):
    """The metrics that simulate --list metrics prints: a line with the names, and an indented line with the definition."""
    lines = listed.splitlines()[2:]
    for heading, meaning in zip(lines[::2], lines[1::2]):
        names, _, rest = heading.partition(" (")
        yield from entry(f"{bold(names)} ({escaped(rest)}", meaning.strip())


def page(command, version, listed):
    """The page of a command."""
    names = path(command)
    arguments = [one for one in command.get("arguments", []) if one["shouldDisplay"]]
    positional = [one for one in arguments if one["kind"] == "positional"]
    described, examples = description(command)
    lines = [
        r".\" Written by Scripts/make-manual.py. Do not edit: change the help of the tool, then run make man.",
        f'.TH {escaped("-".join(names).upper())} 1 "" "cellophane {version}" "Cellophane Manual"',
        # No hyphenation, no justification.
        ".nh",
        ".ad l",
        ".SH NAME",
        rf"{escaped('-'.join(names))} \- {escaped(command['abstract'].rstrip('.'))}",
        *synopsis(command, arguments),
        *described,
        *commands(command),
        *([".SH ARGUMENTS", *entries(positional)] if positional else []),
        *options([one for one in arguments if one["kind"] != "positional"]),
        *([".SH METRICS", *metrics(listed)] if names[1:] == ["simulate"] else []),
        ".SH EXIT STATUS",
    ]
    if len(names) == 1:
        lines += [*table("Exit codes"), ".SH ENVIRONMENT", *table("Environment variables")]
    else:
        lines.append(rf"The exit codes of all commands are in {reference(names[:1])}.")
    related = [names[:count] for count in range(1, len(names))]
    related += [path(one) for one in command.get("subcommands", []) if one["commandName"] != "help"]
    return "\n".join([*lines, *examples, ".SH SEE ALSO", ", ".join(map(reference, related)), ""])


def pages(command, version, listed):
    """The pages of a command and its subcommands, by file name."""
    found = {"-".join(path(command)) + ".1": page(command, version, listed)}
    for one in command.get("subcommands", []):
        if one["commandName"] != "help":
            found |= pages(one, version, listed)
    return found


def output(tool, *arguments):
    return subprocess.run([tool, *arguments], check=True, capture_output=True, text=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", help="the built tool, such as .build/release/cellophane")
    parser.add_argument("folder", type=pathlib.Path, help="folder of the pages, such as Documentation/man")
    given = parser.parse_args()
    tool = str(pathlib.Path(given.tool).resolve())
    dump = json.loads(output(tool, "--experimental-dump-help"))
    if dump["serializationVersion"] != 0:
        sys.exit(f"make-manual: the JSON of --experimental-dump-help has version {dump['serializationVersion']}, not 0")
    listed = output(tool, "simulate", "--list", "metrics")
    written = pages(dump["command"], output(tool, "--version").strip(), listed)
    given.folder.mkdir(parents=True, exist_ok=True)
    for old in given.folder.glob("*.1"):
        if old.name not in written:
            old.unlink()
    for name, text in written.items():
        (given.folder / name).write_text(text, encoding="utf-8")
    print(f"{given.folder}: {len(written)} pages")


if __name__ == "__main__":
    main()
