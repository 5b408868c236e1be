"""Write an RGB picture as a PNG file, with nothing but the standard library."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def png_bytes(picture: NDArray[np.uint8]) -> bytes:
    """A picture of shape (height, width, 3) as the bytes of a PNG file."""
    height, width, _ = picture.shape
    lines = np.zeros((height, 1 + 3 * width), np.uint8)  # filter 0 before each line
    lines[:, 1:] = picture.reshape(height, 3 * width)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        [
            _chunk(b"IHDR", header),
            _chunk(b"IDAT", zlib.compress(lines.tobytes(), 9)),
            _chunk(b"IEND", b""),
        ]
    )


def write_png(picture: NDArray[np.uint8], file: Path) -> None:
    """Write a picture; raises `OSError` where the file cannot be written."""
    file.write_bytes(png_bytes(picture))


def _chunk(name: bytes, data: bytes) -> bytes:
    checksum = struct.pack(">I", zlib.crc32(name + data))
    return struct.pack(">I", len(data)) + name + data + checksum
