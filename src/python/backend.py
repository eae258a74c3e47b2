"""What pip calls: maturin, which makes the module, with the program `totemic` laid into the wheel.

maturin makes a module or a program, not both. The program is a file of its own, because a command
of Python would begin with the start of Python, which takes longer than the engine's.
"""

import json
import shutil
import subprocess
from pathlib import Path

import maturin
from maturin import *  # noqa: F403

BUILD = ["cargo", "build", "--locked", "--release", "--bin", "totemic", "--message-format", "json-render-diagnostics"]

# Where maturin takes it from: `tool.maturin.data`.
SCRIPTS = Path("target/python-data/scripts")
shutil.rmtree(SCRIPTS, ignore_errors=True)
SCRIPTS.mkdir(parents=True)


def _with_program(build):
    def hook(*arguments):
        built = subprocess.run(BUILD, stdout=subprocess.PIPE, check=True, text=True).stdout
        found = [json.loads(line).get("executable") for line in built.splitlines()]
        for program in filter(None, found):
            shutil.copy2(program, SCRIPTS)
        return build(*arguments)

    return hook


build_wheel = _with_program(maturin.build_wheel)
build_editable = _with_program(maturin.build_editable)
