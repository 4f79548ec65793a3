#!/usr/bin/env python3
"""Draws the text on standard input as a terminal window in SVG, for the README.

    cellophane simulate | Scripts/terminal-picture.py 'cellophane simulate' > Documentation/demo.svg
"""
import sys
from xml.sax.saxutils import escape

SIZE, LINE, PAD, BAR = 13, 18, 16, 30
ADVANCE = SIZE * 0.602  # advance width of DejaVu Sans Mono and Menlo: 0.602 em

lines = ["$ " + sys.argv[1]] + sys.stdin.read().rstrip("\n").split("\n")
width = round(PAD * 2 + max(map(len, lines)) * ADVANCE)
height = BAR + PAD + LINE * len(lines)

print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">')
print(f'<rect width="{width}" height="{height}" rx="8" fill="#16181d"/>')
for index, color in enumerate(["#ff5f57", "#febc2e", "#28c840"]):
    print(f'<circle cx="{PAD + 6 + 20 * index}" cy="{BAR // 2 + 2}" r="6" fill="{color}"/>')
print(f'<g font-family="Menlo, \'DejaVu Sans Mono\', Consolas, monospace" font-size="{SIZE}" fill="#d7dae0">')
for index, line in enumerate(lines):
    heading = line and not line.startswith(" ") and index > 3 and not line.endswith(".") and "(" not in line and " with " not in line
    style = ' fill="#7fd1b9"' if index == 0 or heading else ""
    print(f'<text x="{PAD}" y="{BAR + LINE * (index + 1) - 4}"{style}>{escape(line).replace(" ", chr(0xA0))}</text>')
print("</g>\n</svg>")
