"""Runs the notebooks of the book, which must run without an error, from the root of the repository."""

import sys
from pathlib import Path

import nbclient
import nbformat

FOLDER = Path("docs/examples/notebooks")


def main() -> int:
    notebooks = sorted(FOLDER.glob("*.ipynb"))
    for path in notebooks:
        notebook = nbformat.read(path, as_version=4)
        client = nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3")
        client.execute()
        shown = sum(len(cell.get("outputs", [])) for cell in notebook.cells)
        print(f"{path}: {len(notebook.cells)} cells, {shown} outputs")
    return 0 if len(notebooks) >= 2 else 1


if __name__ == "__main__":
    sys.exit(main())
