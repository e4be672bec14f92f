"""The faults of a schedule. Each one leaves the node running, so that the next can follow."""
import os
import random
import shutil
import threading
import time

from . import processes
from .proxy import CommitTrap

# Calls at which strace kills a node; the second list is for nodes with PostgreSQL.
FILE_CALLS = ["fdatasync", "pwrite64", "unlink", "openat", "ftruncate", "fcntl"]
SOCKET_CALLS = ["sendto", "recvfrom", "pwrite64", "unlink"]


class Faults(threading.Thread):
    """Causes random faults, one after the other, until it is stopped.

    Several can run at the same time: they share the nodes' locks.
    """

    def __init__(self, world, seed):
        super().__init__(daemon=True)
        self.world = world
        self.random = random.Random(seed)
        self.is_stopping = threading.Event()

    def run(self):
        while not self.is_stopping.wait(0.1 + self.random.random()):
            faults, weights = zip(*self.choices())
            fault = self.random.choices(faults, weights)[0]
            self.world.report.count("fault " + fault.__name__)
            self.world.note(fault.__name__)
            try:
                fault()
            except Exception as error:
                self.world.report.fail(
                    "TOOL", f"{fault.__name__}: {type(error).__name__}: {error}")
                raise

    def choices(self):
        choices = [(self.kill_node, 4), (self.kill_often, 2), (self.end_node, 1),
                   (self.pause_node, 2), (self.damage_cache, 3), (self.clear_cache, 2)]
        if shutil.which("strace"):
            choices.append((self.kill_at_call, 4))
        if any(node.is_small for node in self.world.nodes):
            choices.append((self.fill_disk, 3))
        if self.world.server:
            choices += [(self.catch_commit, 16), (self.cut_connection, 3), (self.delay, 2),
                        (self.silence, 1), (self.refuse, 1), (self.crash_server, 2)]
        return choices

    def node(self):
        return self.random.choice(self.world.nodes)

    def wait(self, maximum):
        time.sleep(self.random.random() * maximum)

    # Nodes

    def kill_node(self):
        node = self.node()
        with node.lock:
            node.kill()
            self.wait(0.5)
            node.start_again()

    def kill_often(self):
        """Starts a node and kills it soon, many times, so that each step is hit."""
        node = self.node()
        with node.lock:
            for _ in range(self.random.randint(4, 10)):
                node.kill()
                node.start()
                self.wait(self.random.choice([0.02, 0.1, 0.4]))
            node.kill()
            node.start_again()

    def end_node(self):
        node = self.node()
        with node.lock:
            node.terminate()
            self.wait(0.3)
            node.start_again()

    def pause_node(self):
        self.node().pause(self.random.random() * 2)

    def kill_at_call(self):
        """Lets strace kill a node at a random call."""
        node = self.node()
        call = self.random.choice(SOCKET_CALLS if self.world.server else FILE_CALLS)
        with node.lock:
            node.kill()
            if node.start(call, self.random.randint(1, self.random.choice([10, 40, 200]))):
                processes.wait_until(lambda: not node.is_running, 2)
            node.kill()
            node.start_again()

    # Caches

    def clear_cache(self):
        node = self.node()
        with node.lock:
            node.kill()
            node.clear_cache()
            node.start_again()

    def damage_cache(self):
        """Damages files of a stopped node in ways that SQLite or the log can notice."""
        node = self.node()
        with node.lock:
            self.random.choice([node.kill, node.terminate])()
            stores = node.stores()
            for path in stores:
                # An older state for a later damage.
                if self.random.random() < 0.5 and not os.path.exists(self.older(path)):
                    shutil.copyfile(path, self.older(path))
            for path in self.random.sample(stores, self.random.randint(0, len(stores))):
                damage = self.random.choice([
                    self.truncate, self.overwrite_header, self.overwrite_pages, self.remove_journal,
                    self.replace_by_older, self.empty])
                self.world.note(f"{damage.__name__} {path}")
                damage(path)
            if len(stores) > 1 and self.random.random() < 0.3:
                pair = self.random.sample(stores, 2)
                self.world.note("exchange " + " ".join(pair))
                self.exchange(*pair)
            node.start_again()

    def truncate(self, path):
        os.truncate(path, int(os.path.getsize(path) * self.random.random()))

    def empty(self, path):
        os.truncate(path, 0)

    def overwrite_header(self, path):
        self.overwrite(path, 0, 100)

    def overwrite_pages(self, path):
        for _ in range(self.random.randint(1, 4)):
            page = self.random.randrange(max(os.path.getsize(path) // 4096, 1))
            self.overwrite(path, page * 4096, 4096)

    def overwrite(self, path, offset, count):
        with open(path, "r+b") as file:
            file.seek(offset)
            file.write(self.random.randbytes(count))

    def remove_journal(self, path):
        for suffix in ("-wal", "-shm"):
            if os.path.exists(path + suffix):
                os.unlink(path + suffix)

    def older(self, path):
        """Where an older state of a file is kept, outside of all caches."""
        return f"{self.world.folder}/older-" + path.replace("/", "-")

    def replace_by_older(self, path):
        if os.path.exists(self.older(path)):
            self.remove_journal(path)
            shutil.move(self.older(path), path)

    def exchange(self, first, second):
        """Gives each of two people the store of the other one."""
        for path in (first, second):
            self.remove_journal(path)
        if not os.path.exists(first) or not os.path.exists(second):
            return
        os.rename(first, first + ".exchanged")
        os.rename(second, first)
        os.rename(first + ".exchanged", second)

    def fill_disk(self):
        """Fills the small file system of a node's cache for a time."""
        node = self.random.choice([node for node in self.world.nodes if node.is_small])
        path = node.cache + "/filling"
        # Nobody removes the cache meanwhile.
        with node.lock:
            try:
                with open(path, "wb", buffering=0) as file:
                    while True:
                        file.write(bytes(65_536))
            except OSError:
                pass
            self.wait(2)
            if os.path.exists(path):
                os.unlink(path)

    # PostgreSQL

    def catch_commit(self):
        """Loses a COMMIT, its answer, the node or the server around it."""
        node = self.node()
        action = self.random.choice(
            ["lose-request", "lose-answer", "cut-at-once", "before", "at", "after", "hold",
             "server"])
        strike = node.kill_now
        if action == "server":
            action, strike = "at", self.world.server.kill
        delay = 0.0
        if action == "hold":
            action, delay = "lose-answer", 2 + 3 * self.random.random()
        pause = self.random.choice([0, 0.001, 0.003, 0.01])
        trap = CommitTrap(action, strike, delay, pause)
        with node.lock:
            node.proxy.set_trap(trap)
            trap.sprung.wait(2)
            node.proxy.take_trap()
            if not trap.sprung.is_set():
                return
            self.world.report.count("commit " + action)
            self.world.note(f"commit {action} of {node.name}")
            time.sleep(0.05 + delay)
            if strike == self.world.server.kill:
                self.restart_server()
            elif action in ("before", "at", "after"):
                node.kill()
                node.start_again()

    def cut_connection(self):
        proxy = self.node().proxy
        with proxy.lock:
            proxy.limits[self.random.choice(["requests", "answers"])] = self.random.randint(0, 6000)
        self.wait(1)

    def delay(self):
        proxy = self.node().proxy
        proxy.maximum_delay = self.random.choice([0.02, 0.1, 0.5])
        self.wait(3)
        proxy.maximum_delay = 0.0

    def silence(self):
        """Holds everything back, as a firewall that drops packets."""
        proxy = self.node().proxy
        proxy.is_silent = True
        time.sleep(self.random.choice([1, 2, 2, 4, 17]) * self.random.random())
        if self.random.random() < 0.5:
            proxy.cut()
        proxy.is_silent = False

    def refuse(self):
        proxy = self.node().proxy
        proxy.is_refusing = True
        proxy.cut()
        self.wait(2)
        proxy.is_refusing = False

    def crash_server(self):
        with self.world.server_lock:
            if self.random.random() < 0.6:
                self.world.server.kill()
            else:
                self.world.server.stop("immediate")
            self.wait(1.5)
            self.restart_server()

    def restart_server(self):
        with self.world.server_lock:
            self.world.server.kill()
            self.world.server.start()
