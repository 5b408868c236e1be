"""Masks as signed 64-bit words, and back."""

from __future__ import annotations

from collections.abc import Iterable


def as_words(mask: int, words: int) -> list[int]:
    """A mask as signed words, lowest first; what does not fit is left out."""
    found = []
    for _ in range(words):
        word = mask & 0xFFFF_FFFF_FFFF_FFFF
        found.append(word - (1 << 64) if word >> 63 else word)
        mask >>= 64
    return found


def as_mask(words: Iterable[int]) -> int:
    """The mask of signed words."""
    mask = 0
    for place, word in enumerate(words):
        mask |= (int(word) & 0xFFFF_FFFF_FFFF_FFFF) << (64 * place)
    return mask
