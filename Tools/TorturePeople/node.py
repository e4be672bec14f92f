"""Nodes: processes of `openhealth serve --people`."""
import os
import shutil
import signal
import subprocess
import threading
import time

from . import processes, web


class Node:
    """One node with a port and a cache folder of its own.

    Attributes:
      lock: Held by the fault that stops or starts the node, so that two don't interfere.
      proxy: The proxy to PostgreSQL; None for people in a folder.
      is_small: Whether the cache is in a small file system of its own.
    """

    def __init__(self, name, world, place, cache, proxy=None):
        self.name, self.world, self.place, self.cache, self.proxy = (
            name, world, place, cache, proxy)
        self.port = processes.free_port()
        self.lock = threading.RLock()
        self.process = None
        self.is_small = False
        # An end of the process that no fault has caused is a crash.
        self.may_end = False
        self.starts = 0

    @property
    def log(self):
        return f"{self.world.folder}/{self.name}.log"

    def start(self, syscall=None, count=1):
        """Starts the process, and waits until it answers.

        With a system call, strace kills the process at the call with that number in a thread.

        Returns whether it runs.
        """
        with self.lock:
            self.collect()
            self.starts += 1
            words = [
                self.world.program, "serve", "--people", self.place, "--port", str(self.port),
                "--cache", self.cache, *self.world.key_options]
            if syscall:
                words = [
                    "strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={syscall}",
                    "-e", f"inject={syscall}:signal=SIGKILL:when={count}"] + words
            self.may_end = syscall is not None
            with open(self.log, "ab") as log:
                self.process = subprocess.Popen(
                    words, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                    env=self.world.environment)
            end = time.monotonic() + 30
            while time.monotonic() < end:
                if self.process.poll() is not None:
                    return self.has_failed_to_start(syscall)
                if web.call(self.port, "GET", "/live", timeout=5).status == 200:
                    return True
                time.sleep(0.02)
            if not self.may_end:
                self.world.report.fail("HANG", f"{self.name} didn't answer within 30 s")
            return False

    def has_failed_to_start(self, syscall):
        # A node whose database doesn't answer ends, with an error.
        status = self.process.returncode
        if syscall is None and not (status == 1 and self.world.can_be_unavailable):
            self.world.report.fail(
                "CRASH", f"{self.name} ended with {status} at its start: {self.last_lines()}")
        self.process = None
        return False

    def start_again(self):
        """Starts the process, and again until it runs, for up to 30 seconds."""
        end = time.monotonic() + 30
        while not self.start():
            if time.monotonic() > end:
                self.world.report.fail("HANG", f"{self.name} can't be started: {self.last_lines()}")
                return
            time.sleep(0.1)

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def collect(self):
        """Notices a process that ended though no fault ended it."""
        if self.process is None or self.process.poll() is None:
            return
        if not self.may_end:
            self.world.report.fail(
                "CRASH", f"{self.name} ended with {self.process.returncode}: {self.last_lines()}")
        self.process = None

    def kill(self):
        with self.lock:
            self.collect()
            if self.process:
                self.may_end = True
                self.process.kill()
                self.process.wait()
                self.process = None

    def terminate(self):
        """Ends the process with SIGTERM. It must end by itself."""
        with self.lock:
            self.collect()
            if not self.process:
                return
            self.may_end = True
            self.process.terminate()
            try:
                status = self.process.wait(45)
                if status not in (0, 130, 143):
                    self.world.report.fail(
                        "CRASH", f"{self.name} ended with {status} after SIGTERM")
            except subprocess.TimeoutExpired:
                self.world.report.fail("HANG", f"{self.name} didn't end after SIGTERM")
                self.process.kill()
                self.process.wait()
            self.process = None

    def kill_now(self):
        """Kills the process at once, from a thread that doesn't hold the lock."""
        self.may_end = True
        process = self.process
        if process:
            process.kill()

    def pause(self, seconds):
        """Stops the process for a time, so that what it knows becomes outdated."""
        process = self.process
        if process and process.poll() is None:
            process.send_signal(signal.SIGSTOP)
            time.sleep(seconds)
            process.send_signal(signal.SIGCONT)

    def last_lines(self):
        try:
            with open(self.log, errors="replace") as file:
                return file.read()[-400:].strip().replace("\n", " | ")
        except OSError:
            return ""

    # The cache

    def clear_cache(self):
        """Removes what is in the cache folder; the folder can be a mount point."""
        for entry in os.scandir(self.cache) if os.path.isdir(self.cache) else []:
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)

    def stores(self):
        """The paths of the stores of all people in the cache."""
        found = []
        for folder, _, names in os.walk(self.cache):
            found += [os.path.join(folder, name) for name in names if name.endswith(".sqlite")]
        return sorted(found)
