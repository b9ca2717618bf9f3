"""What can go wrong. Every exception is a `zgram.Error` and, where Python has one, also Python's own."""


class Error(Exception):
    """Any failure of zgram."""


class InvalidRequest(Error, ValueError):
    """What was asked for makes no sense: a bad pattern, a phrase without words, a closed corpus."""


class OutOfRange(Error, IndexError):
    """A position or offset is past the end."""


class _NotThere(Error, KeyError):
    def __str__(self) -> str:
        # KeyError shows its argument in quotes.
        return str(self.args[0]) if self.args else ""


class DocumentNotFound(_NotThere):
    """No document has this name."""


class WordNotFound(_NotThere):
    """There is no vector of this word."""


class FileError(Error, OSError):
    """The operating system refused something."""

    def __str__(self) -> str:
        # The message names the file already.
        return str(self.strerror) if self.strerror else super().__str__()


class NotFound(FileError, FileNotFoundError):
    """There is no such file."""


class NoPermission(FileError, PermissionError):
    """The file may not be read or written."""


class AlreadyExists(FileError, FileExistsError):
    """The file to be written exists."""


class DamagedFile(FileError):
    """The file is damaged, cut off, or no corpus."""


class Locked(FileError, BlockingIOError):
    """Another process edits the corpus."""
