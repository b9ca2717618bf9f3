"""Types: mypy over the package, and the stubs of the native module against the module itself."""

import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def run(*arguments: str) -> None:
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, cwd=PACKAGE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_are_sound() -> None:
    run("mypy", "--strict", "zgram", "pyspark_zgram")


def test_stubs_say_what_the_native_module_has() -> None:
    run("mypy.stubtest", "--mypy-config-file", "pyproject.toml", "zgram._zgram")


def test_users_get_types(tmp_path: Path) -> None:
    """What a type checker sees from outside: the package is typed, and wrong calls are found."""
    script = tmp_path / "user.py"
    script.write_text(
        "import zgram as zg\n"
        "corpus = zg.open('a.zgram')\n"
        "number: int = corpus.count('cat')\n"
        "name: str = corpus.documents[0].name\n"
        "corpus.count(7)  # type: ignore[call-overload]\n"
        "zg.View(case='loud')  # type: ignore[arg-type]\n"
    )
    run("mypy", "--strict", str(script))
