"""Processes, ports and waiting."""
import os
import pwd
import signal
import socket
import subprocess
import time


class Failure(Exception):
    """The tool itself can't go on, for example because a program is missing."""


def free_port():
    """Returns a TCP port that no process uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, seconds, pause=0.02):
    """Returns whether the condition becomes true within a time."""
    end = time.monotonic() + seconds
    while True:
        if condition():
            return True
        if time.monotonic() > end:
            return False
        time.sleep(pause)


def children(pid):
    """Returns the identifiers of a process's children."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def send(pid, number):
    """Sends a signal to a process that may have ended."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def kill_family(pid):
    """Kills a process and its children with SIGKILL, so that none outlives the others."""
    send(pid, signal.SIGSTOP)
    for child in children(pid):
        send(child, signal.SIGKILL)
    send(pid, signal.SIGKILL)


def as_postgres(words):
    """Returns a command line that runs as a user whom PostgreSQL accepts, which isn't root."""
    if os.geteuid() != 0:
        return words
    return ["runuser", "-u", postgres_user().pw_name, "--"] + words


def postgres_user():
    """The account of the server's files if this process is root's."""
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise Failure("There is no account to run PostgreSQL.")


def run(words, **options):
    """Runs a program to its end, and returns it with its output as text."""
    return subprocess.run(
        words, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
        **options)
