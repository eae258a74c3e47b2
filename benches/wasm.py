"""The engine in WebAssembly against the native program, in one run.

    cargo build --release && .ci/site target/site
    python3 benches/wasm.py target/release/totemic target/site/npm/bin.cjs

Nodes are for each second of a processor, which other programs on the machine hardly change:
Linux says how long the threads of a process have run. Each engine warms up with a `bench` first,
because node compiles what runs often a second time. Delays are wall clock.
"""

import os
import statistics
import sys
import time
from pathlib import Path
from subprocess import PIPE, Popen

POSITIONS = {
    "Yoxii, 2 M nodes": ("yoxii", "position startpos moves c5b6x"),
    "Hokito, 2 M nodes": ("hokito", "position random 5"),
}


class Engine:
    def __init__(self, command):
        self.process = Popen(command, stdin=PIPE, stdout=PIPE, text=True, bufsize=1)

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def ask(self, line, answer):
        self.send(line)
        return next(said for said in self.process.stdout if said.startswith(answer))

    def processor_seconds(self):
        # User and system time, also of threads that have ended.
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def megabytes(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1024

    def speed(self, nodes, lines, answer):
        """Thousand nodes for each second of a processor."""
        before = self.processor_seconds()
        for line in lines:
            self.ask(line, answer)
        return nodes / 1000 / (self.processor_seconds() - before)

    def close(self):
        self.process.communicate("quit\n")


def delays(engine, begin, wait, end):
    """Milliseconds between two moments, 20 times."""
    found = []
    for _ in range(20):
        engine.send(begin)
        time.sleep(wait)
        start = time.monotonic()
        engine.ask(end, "bestmove")
        found.append((time.monotonic() - start) * 1000)
    return sorted(found)


def measure(engines):
    rows = {}

    def row(name, values):
        rows.setdefault(name, []).append(values)

    for engine in engines:
        nodes = int(engine.ask("bench", "Bench").split()[1])
    for _ in range(3):
        for engine in engines:
            row("bench", engine.speed(4 * nodes, ["bench"] * 4, "Bench"))
    for name, (game, position) in POSITIONS.items():
        for _ in range(3):
            for engine in engines:
                engine.send(f"setoption name Game value {game}")
                engine.send("uginewgame")
                engine.ask("isready", "readyok")
                engine.send(position)
                row(name, engine.speed(2_000_000, ["go nodes 2000000"], "bestmove"))
    return {name: [values[i :: len(engines)] for i in range(len(engines))] for name, values in rows.items()}


def main():
    native, wasm = sys.argv[1:]
    engines = [Engine([native]), Engine(["node", wasm])]
    print("thousand nodes per second of a processor, medians of 3")
    print(f"{'':20} {'native':>8} {'wasm':>8}  share")
    for name, (one, other) in measure(engines).items():
        one, other = statistics.median(one), statistics.median(other)
        print(f"{name:20} {one:8.0f} {other:8.0f}  {other / one:.0%}")
    for name, engine in zip(("native", "wasm"), engines):
        stop = delays(engine, "go infinite", 0.3, "stop")
        late = [took - 200 for took in delays(engine, "isready", 0.05, "go movetime 200")]
        print(
            f"{name}: stop {stop[10]:.1f} ms (worst {stop[-1]:.1f}), movetime 200 off by "
            f"{late[10]:.1f} ms (worst {max(late, key=abs):.1f}), {engine.megabytes():.0f} MiB with Hash 64"
        )
        engine.close()


if __name__ == "__main__":
    main()
