"""The world in which the corpus was made and is read: a namespace with fixed paths, a fixed user,
host and boot, a clock that stands still and chance that is always the same.

    /corpus/pristine/HOME   as it was made          /corpus/work    the working directory
    /corpus/homes/HOME      a copy for a course     /tools          this folder
    /program/reprise        the program
"""

import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
HOST, USER_ID = "corpus", "1000"
BOOT = "c0c0c0c0-0000-4000-8000-000000000000\n"
ACCOUNT = f"tester:x:{USER_ID}:{USER_ID}:Tester:/corpus/user:/bin/sh\n"


class NoWorld(RuntimeError):
    """Says why, and what helps."""


def words(program, standstill, folder, command):
    """The words that run `command` in the namespace, with `folder` at /corpus. Files that it names
    with a fixed content are put into `folder`."""
    (folder / "boot_id").write_text(BOOT)
    (folder / "passwd").write_text(ACCOUNT)
    for made in ("homes", "pristine", "user", "work"):
        (folder / made).mkdir(exist_ok=True)
    program = pathlib.Path(program).resolve()
    return [
        *("bwrap", "--unshare-all", "--die-with-parent", "--hostname", HOST),
        *("--uid", USER_ID, "--gid", USER_ID, "--clearenv", "--chdir", "/corpus/work"),
        *("--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"),
        *("--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib"),
        *("--symlink", "usr/lib64", "/lib64", "--dir", "/etc"),
        *("--bind", str(folder), "/corpus", "--ro-bind", str(HERE), "/tools"),
        *("--ro-bind", str(program.parent), "/program"),
        *("--ro-bind", str(pathlib.Path(standstill).resolve()), "/standstill.so"),
        *("--ro-bind", str(folder / "passwd"), "/etc/passwd"),
        *("--ro-bind", str(folder / "boot_id"), "/proc/sys/kernel/random/boot_id"),
        *("--setenv", "CORPUS_PROGRAM", f"/program/{program.name}"),
        *("--setenv", "PATH", "/usr/bin:/bin", *command),
    ]


def run(program, standstill, folder, script, *arguments):
    """Runs a Python script of this folder in the namespace, to its end. Raises NoWorld where no
    such namespace can be made."""
    python = ("/usr/bin/python3", "-B", f"/tools/{script}", *arguments)
    try:
        probe = subprocess.run(
            words(program, standstill, folder, ["/usr/bin/true"]), capture_output=True, text=True
        )
    except FileNotFoundError:
        raise NoWorld("the corpus needs bwrap: scripts/install-deps installs it") from None
    if probe.returncode != 0:
        raise NoWorld(
            "the corpus needs a namespace of its own, and bwrap cannot make one here (are user "
            f"namespaces allowed for user {os.getuid()}?): {probe.stderr.strip()}"
        )
    subprocess.run(words(program, standstill, folder, list(python)), check=True)
