"""Kumiko from Python: runs, studies, GPUs and designs as objects. One file, which needs Python 3.8 and the program alone.

    import kumiko
    r = kumiko.run("sgemm", size="test", gpu=kumiko.GPU("gtx980", {"slice.sms": 1}))
    print(r.cycles, r.ipc, r.stack()[:3])

Copy the file beside your script, or put its folder on PYTHONPATH. The program is `kumiko` on the PATH, or what the
environment variable KUMIKO names.
"""

import csv
import io
import json
import os
import subprocess
import tempfile

__all__ = ["Design", "Error", "GPU", "Result", "Study", "command", "designs", "gpus", "run"]


class Error(RuntimeError):
    """A command of Kumiko that failed. status: 1 a check failed, 2 bad input, 3 stopped, 4 a fault of Kumiko."""

    def __init__(self, arguments, status, text):
        super().__init__("kumiko %s: status %d: %s" % (" ".join(arguments), status, text.strip()))
        self.status, self.text = status, text


def command(*arguments):
    """Runs a command of Kumiko and returns its standard output. A failure is an Error."""
    arguments = [str(a) for a in arguments]
    done = subprocess.run([os.environ.get("KUMIKO", "kumiko")] + arguments, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise Error(arguments, done.returncode, done.stderr)
    return done.stdout


def gpus():
    """Returns the names of the built-in GPUs."""
    return [g["name"] for g in json.loads(command("list", "gpus", "--format", "json"))]


def designs():
    """Returns the names of the presets of register files."""
    return [d["name"] for d in json.loads(command("list", "designs", "--format", "json"))]


def _text(value):
    """Writes a value of a setting as the command line takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(list(value)) if isinstance(value, (list, tuple)) else str(value)


class GPU:
    """A GPU: a built-in name or a TOML file, with settings over it (kumiko list params)."""

    def __init__(self, name="gtx980", settings=None):
        self.name, self.settings = name, dict(settings or {})

    def with_(self, settings):
        """Returns the GPU with more settings."""
        return GPU(self.name, {**self.settings, **settings})

    def config(self, design=None):
        """Returns every parameter by its key, those of a design too."""
        rows = json.loads(command("list", "params", *self._flags(design), "--format", "json"))
        return {row["key"]: next(iter(row["defaults"].values()))["value"] for row in rows}

    def _flags(self, design=None):
        flags = ["--gpu", self.name]
        settings = dict(self.settings)
        if design is not None:
            design = design if isinstance(design, Design) else Design(design)
            flags += ["--design", design.name]
            settings.update(design.settings)
        for key, value in settings.items():
            flags += ["--set", "%s=%s" % (key, _text(value))]
        return flags


class Design:
    """A register file: a preset, or several as A+B, with settings over it."""

    def __init__(self, name, settings=None):
        self.name, self.settings = name, dict(settings or {})

    def __add__(self, other):
        return Design(self.name + "+" + other.name, {**self.settings, **other.settings})


class Result:
    """The result of a run. data is the whole of kumiko run --json (docs/guide.md, Result)."""

    def __init__(self, data):
        self.data = data
        self.total = data["total"]
        self.cycles, self.ipc = self.total["cycles"], self.total["ipc"]

    def __getitem__(self, statistic):
        """Returns a statistic of the run by its name (kumiko list stats)."""
        return self.total["stats"][statistic]

    def stack(self):
        """Returns the CPI stack: pairs of reason and issue slots per warp instruction, the largest first."""
        return sorted(((k, v) for k, v in self.total["cpi_stack"].items() if v), key=lambda part: -part[1])

    def table(self):
        """Returns a dictionary for each launch: its name, cycles, and all statistics."""
        return [dict({k: v for k, v in launch.items() if not isinstance(v, (dict, list))}, **launch["stats"])
                for launch in self.data["kernels"]]


def _gpu(gpu):
    return gpu if isinstance(gpu, GPU) else GPU(gpu)


def run(program, gpu="gtx980", design=None, size=None, launch=None, settings=None, flags=()):
    """Runs a program and returns its Result.

    program: a built-in name, or a file (.cu, .ptx, ...) with launch, its launch file. gpu: a name or a GPU. design: a name or a
    Design. settings: more of them, by key. flags: further flags of kumiko run, such as ["--check"].
    """
    arguments = ["run", program, "--json", "-"] + _gpu(gpu).with_(settings or {})._flags(design)
    if size:
        arguments += ["--size", size]
    if launch:
        arguments += ["--launch", launch]
    return Result(json.loads(command(*(arguments + list(flags)))))


class Study:
    """A study: programs on machines. Points that were run are kept in the folder of the records and not run again.

    Study("banks.toml") is that of a file. Study.of("banks", {...}, ["vecadd"]) writes one.
    """

    def __init__(self, file, size=None, records=None):
        self.file, self._flags = str(file), []
        if size:
            self._flags += ["--size", size]
        if records:
            self._flags += ["--dir", str(records)]

    @classmethod
    def of(cls, name, machines, programs, baseline=None, folder=".", size=None):
        """Writes the study NAME.toml into a folder.

        machines: by name, a GPU or a pair of GPU and Design. programs: built-in names. baseline: the machine with which the
        others are compared.
        """
        lines = ["name  = %s" % json.dumps(name), "title = %s" % json.dumps(name), "", "[groups]",
                 "all = %s" % json.dumps(list(programs))]
        for machine, pair in machines.items():
            if isinstance(pair, Design):
                raise TypeError("machine %s: found design %s alone, expected a pair of GPU and Design" % (machine, pair.name))
            gpu, design = pair if isinstance(pair, tuple) else (pair, None)
            gpu, design = _gpu(gpu), Design(design) if isinstance(design, str) else design
            settings = {**gpu.settings, **(design.settings if design else {})}
            lines += ["", "[[variant]]", "name = %s" % json.dumps(machine), "gpu  = %s" % json.dumps(gpu.name),
                      "set  = %s" % json.dumps(["%s=%s" % (k, _text(v)) for k, v in settings.items()])]
            if design:
                lines.append("design = %s" % json.dumps(design.name))
            if baseline and machine != baseline:
                lines.append("baseline = %s" % json.dumps(baseline))
        file = os.path.join(str(folder), name + ".toml")
        with open(file, "w", encoding="utf-8") as out:
            out.write("\n".join(lines) + "\n")
        return cls(file, size=size, records=os.path.join(str(folder), "results", name))

    def run(self):
        """Runs the points that are missing, and returns the study."""
        command("study", "run", self.file, *self._flags)
        return self

    def table(self):
        """Returns a dictionary for each point: variant, benchmark, cycles, ipc and all statistics. pandas.DataFrame takes it."""
        rows = csv.DictReader(io.StringIO(command("study", "export", self.file, "--format", "csv", *self._flags)))
        return [{key: _number(value) for key, value in row.items()} for row in rows]

    def pivot(self, column="ipc"):
        """Returns a column by benchmark and variant, of the runs that are not perturbed: pivot()["sgemm"]["base"]."""
        out = {}
        for row in self.table():
            if not row["perturb"]:
                out.setdefault(row["benchmark"], {})[row["variant"]] = row[column]
        return out

    def report(self, file=None):
        """Writes the page of the study, and returns its path."""
        file = file or os.path.join(tempfile.mkdtemp(prefix="kumiko-"), "report.html")
        command("study", "report", self.file, "-o", file, *self._flags)
        return file


def _number(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
