"""The golden files: what every notice says, one file for each kind and language, its variants one after another.

A section is headed by its scene, its data and its recipient. `pytest tests/services/test_golden_mails.py --golden`
writes the sections anew; `git diff` then shows what has changed for its readers.
"""

import difflib
import re
from pathlib import Path

HERE = Path(__file__).parent / "mails"
HEAD = re.compile(r"^=== (.+)$", re.MULTILINE)
HOW = "If this is meant: pytest tests/services/test_golden_mails.py --golden -n 0"

Sections = dict[str, str]


def read(name: str) -> dict[str, str]:
    """Heading → text, of the file `name`."""
    file = HERE / f"{name}.txt"
    if not file.exists():
        return {}
    _, *parts = HEAD.split(file.read_bytes().decode())
    return {head: text.strip("\n") for head, text in zip(parts[::2], parts[1::2], strict=True)}


def write(name: str, scene: str, sections: Sections, order: list[str]) -> None:
    """Put a scene's sections in the place of those that the file has; scenes stand in their `order`."""
    kept = {head: text for head, text in read(name).items() if scene_of(head) in order and scene_of(head) != scene}
    whole = sorted((kept | sections).items(), key=lambda section: order.index(scene_of(section[0])))
    file = HERE / f"{name}.txt"
    file.write_bytes("\n\n".join(f"=== {head}\n{text}" for head, text in whole).encode() + b"\n")
    if not whole:
        file.unlink()


def difference(name: str, scene: str, sections: Sections) -> str:
    """How what is said differs from the file, in lines; empty where it does not."""
    golden = {head: text for head, text in read(name).items() if scene_of(head) == scene}
    lines: list[str] = []
    for head in dict.fromkeys([*golden, *sections]):
        old, new = golden.get(head, ""), sections.get(head, "")
        lines += difflib.unified_diff(_shown(old), _shown(new), f"golden: {head}", f"now: {head}", lineterm="", n=2)
    return "\n".join([f"{name}.txt", *lines]) if lines else ""


def scene_of(head: str) -> str:
    """The scene and data of a section's heading."""
    return head.rpartition(", to ")[0]


def _shown(text: str) -> list[str]:
    return [line.replace("\r", "\\r").replace("\t", "\\t") for line in text.split("\n")]
