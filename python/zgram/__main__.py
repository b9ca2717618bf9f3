"""Runs the program: `python -m zgram`."""

from ._program import main

main()
