"""Pages as rows of pixels, to see where something is printed: PNG read by the standard library."""

import struct
import zlib

DEPTH = 4
"""Bytes of a pixel: red, green, blue, alpha."""
FAINT = 250
"""From which brightness a colour counts as paper."""


def inked(png: bytes) -> list[list[bool]]:
    """Return row by row which pixels of a page are printed on.

    Raises:
        ValueError: no PNG of 8 bits a colour with alpha.
    """
    width, height, bits, colour = struct.unpack(">IIBB", png[16:26])
    if (bits, colour) != (8, 6):
        raise ValueError(f"{bits} bits of colour type {colour}")
    data, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += length + 12
    raw, size = zlib.decompress(data), width * DEPTH
    before, rows = bytearray(size), list[list[bool]]()
    for y in range(height):
        start = y * (size + 1)
        line = bytearray(raw[start + 1 : start + 1 + size])
        _unfilter(raw[start], line, before)
        rows.append([min(line[x : x + 3]) < FAINT and line[x + 3] > 0 for x in range(0, size, DEPTH)])
        before = line
    return rows


def _unfilter(kind: int, line: bytearray, before: bytearray) -> None:
    for i in range(len(line)):
        left, up = line[i - DEPTH] if i >= DEPTH else 0, before[i]
        corner = before[i - DEPTH] if i >= DEPTH else 0
        line[i] = (line[i] + (0, left, up, (left + up) // 2, _paeth(left, up, corner))[kind]) & 255


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    return min((left, up, corner), key=lambda value: abs(guess - value))
