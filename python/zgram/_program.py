"""The command `zgram`."""

import signal
import sys

from . import _zgram


def main() -> None:
    """Runs the program with the arguments of this process."""
    # The program handles Ctrl-C and closed pipes itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    sys.exit(_zgram.run_program(["zgram", *sys.argv[1:]]))
