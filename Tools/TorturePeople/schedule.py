"""One schedule: a random world of people, devices and nodes, with faults, and its checks."""
import json
import os
import random
import shutil
import sqlite3
import tempfile
import threading
import time

from . import processes, web
from .checks import Checks
from .devices import ChangesDevice, ExporterDevice
from .faults import Faults
from .follower import Follower
from .model import Person
from .node import Node
from .postgresql import address
from .processes import Failure
from .proxy import Proxy
from .report import Report


class World:
    """The people, devices and nodes of a schedule.

    - Parameters:
      - program: The path of `openhealth`.
      - seed: The seed of everything random.
      - server: The PostgreSQL server; None for people in a folder.
    """

    def __init__(self, program, seed, server=None):
        self.random = random.Random(seed)
        self.seed, self.program, self.server = seed, program, server
        self.report = Report()
        self.folder = tempfile.mkdtemp(prefix="torture-people-")
        self.database = None
        self.can_be_unavailable = server is not None
        self.is_healthy = True
        self.server_lock = threading.RLock()
        self.pace = self.random.choice([0.01, 0.05, 0.2])
        self.nodes, self.all_nodes, self.mounts = [], [], []
        self.people, self.devices = [], []
        self.faults = []
        self.key_options = ["--operator-key", self.folder + "/operator.key"]
        for name in ("home", "tmp", "caches"):
            os.mkdir(f"{self.folder}/{name}", mode=0o700)
        with open(self.folder + "/operator.key", "w") as file:
            file.write("%064x\n" % self.random.getrandbits(256))
        os.chmod(self.folder + "/operator.key", 0o600)
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH")
                if name in os.environ}
        self.environment = kept | {
            "HOME": self.folder + "/home", "TMPDIR": self.folder + "/tmp"}

    def note(self, text):
        """Adds a line to the list of faults, for a schedule whose files are kept."""
        with open(self.folder + "/faults.log", "a") as file:
            file.write(f"{time.strftime('%H:%M:%S')} {text}\n")

    @property
    def caches(self):
        return [node.cache for node in self.all_nodes]

    @property
    def searched(self):
        """The folders in which erased data is looked for."""
        found = [self.folder + "/caches", self.folder + "/home", self.folder + "/tmp"]
        return found if self.server else found + [self.place]

    @property
    def present(self):
        return [person for person in self.people if not person.erasing]

    def check_secrecy(self, body, person):
        """Checks that an answer has nothing of another person."""
        for other in self.people:
            if other is not person and other.marker.encode() in body:
                self.report.fail(
                    "SECRET", f"person {person.number} got data of person {other.number}")

    def people_command(self, *words):
        """Runs a command for operators, with patience for a database that doesn't answer."""
        for _ in range(60):
            done = self.try_command(*words)
            if done.returncode == 0:
                return json.loads(done.stdout)
            if not self.can_be_unavailable and self.is_healthy:
                break
            time.sleep(0.5)
        raise Failure(f"people {words[0]} failed: {done.stderr.strip()}")

    def try_command(self, *words, timeout=60):
        return processes.run(
            [self.program, "people", *words, "--people", self.place, *self.key_options, "--json"],
            env=self.environment, timeout=timeout)

    def rows_of(self, person):
        """Returns the number of a person's rows in the tables that erasing empties."""
        found = {}
        for name in ("entry", "snapshot", "snapshot_chunk", "receipt", "person_token", "session",
                     "contact", "person_key"):
            query = f"SELECT count(*) FROM {name} WHERE person = '{person.identifier}'"
            if self.server:
                found[name] = int(self.server.sql(query, self.database))
                continue
            file = "keys" if name == "person_key" else "people"
            database = sqlite3.connect(f"file:{self.place}/{file}.sqlite?mode=ro", uri=True)
            found[name] = database.execute(query).fetchone()[0]
            database.close()
        return found

    # Creation

    def create(self):
        count = 2 if self.server or self.random.random() < 0.6 else 1
        if self.server:
            self.database = f"t{os.getpid()}_{abs(hash(str(self.seed))) % 10**9}"
            self.server.add_database(self.database)
            self.place = address(self.database, self.server.port)
        else:
            self.place = self.folder + "/people"
        # The first command creates the tables. Then nodes can start at the same time.
        self.create_people()
        for number in range(count):
            self.add_node(f"node-{number + 1}")
        if os.geteuid() == 0 and self.random.random() < 0.4:
            self.make_small(self.nodes[0])
        for node in self.nodes:
            node.start_again()
        for device in self.devices:
            device.begin()

    def create_people(self):
        bulky = self.random.random() < 0.2
        for number in range(self.random.randint(1, 4)):
            person = Person(number + 1, self.random, bulky and number == 0)
            created = self.people_command("create", "Ada " + person.marker)
            person.identifier, person.token = created["person"], created["token"]
            self.people.append(person)
            for index in range(self.random.randint(1, 3)):
                kind = self.random.choice([ChangesDevice, ExporterDevice])
                device = kind(self, person, index + 1, self.random.getrandbits(64))
                device.token = self.people_command(
                    "device", person.identifier, device.name)["token"]
                person.devices.append(device)
                self.devices.append(device)
            person.follower = Follower(self, person, self.random.getrandbits(64))

    def add_node(self, name):
        place, proxy = self.place, None
        if self.server:
            proxy = Proxy(self.server.port, random.Random(self.random.getrandbits(64)))
            place = address(self.database, proxy.port)
        node = Node(name, self, place, f"{self.folder}/caches/{name}", proxy)
        self.nodes.append(node)
        self.all_nodes.append(node)
        return node

    def make_small(self, node):
        """Gives a node's cache a file system that can be filled."""
        os.mkdir(node.cache, mode=0o700)
        done = processes.run(
            ["mount", "-t", "tmpfs", "-o", "size=48m,mode=700", "tmpfs", node.cache])
        if done.returncode == 0:
            self.mounts.append(node.cache)
            node.is_small = True

    def add_fresh_node(self):
        node = self.add_node("node-fresh")
        self.nodes.remove(node)
        node.start_again()
        return node

    # The schedule

    def run(self):
        """Runs the schedule. Findings are in the report."""
        try:
            checks = Checks(self)
            for name, part in [("create", self.create), ("disturb", self.disturb),
                               ("heal", self.heal), ("check", checks.run)]:
                begin = time.monotonic()
                self.note("to " + name)
                part()
                self.report.count("seconds to " + name, time.monotonic() - begin)
            checks.check_logs()
            for node in self.all_nodes:
                node.collect()
        except Failure as error:
            self.report.fail("TOOL", str(error))
        finally:
            self.end()

    def threads(self):
        return self.devices + [person.follower for person in self.people]

    def disturb(self):
        """Runs devices, readers and faults for some seconds."""
        for thread in self.threads():
            thread.start()
        time.sleep(0.5)
        self.is_healthy = False
        count = self.random.choice([1, 1, 2])
        self.faults = [Faults(self, self.random.getrandbits(64)) for _ in range(count)]
        for fault in self.faults:
            fault.start()
        duration = 4 + 8 * self.random.random()
        begin = time.monotonic()
        events = []
        if self.random.random() < 0.35:
            events.append((duration * self.random.random(), self.erase))
        if self.random.random() < 0.4:
            events.append((duration * self.random.random(), self.revoke))
        for moment, event in sorted(events, key=lambda pair: pair[0]):
            time.sleep(max(0, begin + moment - time.monotonic()))
            event()
        time.sleep(max(0, begin + duration - time.monotonic()))

    def erase(self):
        """Erases a person. Sometimes the first command is killed."""
        person = self.random.choice(self.people)
        person.erasing = True
        self.note(f"erase person {person.number}, {person.identifier}")
        if self.random.random() < 0.4:
            try:
                self.try_command("erase", person.identifier, "--yes",
                                 timeout=0.02 + 0.2 * self.random.random())
            except processes.subprocess.TimeoutExpired:
                pass
        self.people_command("erase", person.identifier, "--yes")
        person.erased = True
        self.report.count("erased")

    def revoke(self):
        choices = [device for device in self.devices if not device.person.erasing]
        if not choices:
            return
        device = self.random.choice(choices)
        device.revoking = True
        for attempt in range(60):
            done = self.try_command("revoke", device.person.identifier, device.name)
            # A command whose answer was lost has revoked the token, so that the next finds none.
            if done.returncode == 0 or attempt and "device" in done.stderr.lower():
                device.revoked = True
                self.report.count("revoked")
                return
            time.sleep(0.5)
        raise Failure(f"people revoke failed: {done.stderr}")

    def heal(self):
        """Ends all faults, and lets the devices send what is left."""
        for fault in self.faults:
            fault.is_stopping.set()
        for fault in self.faults:
            fault.join()
        if self.server and self.server.pid is None:
            self.server.start()
        for node in self.nodes:
            if node.proxy:
                node.proxy.heal()
            node.collect()
            if not node.is_running:
                node.start_again()
        for thread in self.threads():
            thread.is_stopping.set()
        for thread in self.threads():
            thread.join(180)
            if thread.is_alive():
                self.report.fail("HANG", "a device waits for more than 180 s")
        self.can_be_unavailable = False
        self.wait_until_ready()
        for device in self.devices:
            device.finish()
        self.is_healthy = True

    def wait_until_ready(self):
        for node in self.nodes:
            if not processes.wait_until(
                    lambda: web.call(node.port, "GET", "/ready").status == 200, 60, 0.1):
                self.report.fail("STUCK", f"{node.name} isn't ready after 60 s without a fault")

    # The end

    def end(self):
        for thread in self.threads() + self.faults:
            thread.is_stopping.set()
        for node in self.all_nodes:
            node.kill()
            if node.proxy:
                node.proxy.close()
        if self.database:
            try:
                self.server.drop_database(self.database)
            except Failure:
                pass
        for path in self.mounts:
            copy = path + "-copy"
            shutil.copytree(path, copy, dirs_exist_ok=True)
            processes.run(["umount", "-l", path])

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)
