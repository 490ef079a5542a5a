"""The source tree as the house tests see it."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
CODE_FOLDERS = ("cli", "engine", "journal", "json", "processes", "schemas", "tests", "unicode")
CODE_SUFFIXES = (".cc", ".h")


def code_files(root=ROOT):
    """All C++ files, as paths relative to the root."""
    return sorted(
        path.relative_to(root)
        for folder in CODE_FOLDERS
        for path in (root / folder).rglob("*")
        if path.suffix in CODE_SUFFIXES and path.is_file()
    )


def script_files(root=ROOT):
    """Shell and Python scripts, JavaScript of the built-in module and of the examples."""
    found = [path for path in (root / "scripts").rglob("*") if path.is_file()]
    found += [path for path in (root / ".ci").rglob("*") if path.is_file()]
    for folder in ("tests", "processes", "docs/examples"):
        for path in (root / folder).rglob("*"):
            if path.suffix in (".py", ".js", ".mjs", ".cjs", ".sh") and path.is_file():
                found.append(path)
    return sorted(path.relative_to(root) for path in found if "__pycache__" not in path.parts)
