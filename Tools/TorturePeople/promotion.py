"""The promotion of a standby: what was acknowledged before is there afterwards."""
import signal
import time

from .node import Node
from .postgresql import Server, address
from .schedule import World


class PromotionWorld(World):
    """A schedule whose fault is the loss of the primary. Its synchronous standby is promoted."""

    def __init__(self, program, seed):
        super().__init__(program, seed)
        folder = self.folder + "-primary"
        self.primary = Server(folder, [
            "wal_level=replica", "max_wal_senders=4", "synchronous_standby_names=second"])
        self.standby = Server(self.folder + "-standby", ["hot_standby=on"])
        self.can_be_unavailable = True

    def create(self):
        # The first commits wait for the standby, so it is created before the name is required.
        required = self.primary.settings.pop()
        self.primary.create()
        self.primary.add_database("study")
        self.standby.copy(self.primary, "second")
        self.primary.stop("fast")
        self.primary.settings.append(required)
        self.primary.start()
        self.server, self.database = self.primary, None
        ports = [self.primary.port, self.standby.port]
        self.random.shuffle(ports)
        self.place = address("study", *ports)
        self.create_people()
        for number in range(2):
            self.add_node(f"node-{number + 1}")
        for node in self.nodes:
            node.start_again()
        for device in self.devices:
            device.begin()

    def add_node(self, name):
        node = Node(name, self, self.place, f"{self.folder}/caches/{name}")
        self.nodes.append(node)
        self.all_nodes.append(node)
        return node

    def disturb(self):
        for thread in self.threads():
            thread.start()
        self.is_healthy = False
        time.sleep(1 + 3 * self.random.random())
        is_stalled = self.random.random() < 0.4
        if is_stalled:
            # Commits now wait for the standby, and none may be acknowledged.
            self.standby.signal(signal.SIGSTOP)
            time.sleep(self.random.choice([0.2, 2, 6, 18]))
            self.report.count("stalled standby")
        if self.random.random() < 0.4:
            node = self.random.choice(self.nodes)
            node.kill()
            node.start()
        self.primary.kill()
        time.sleep(self.random.random())
        if is_stalled:
            self.standby.signal(signal.SIGCONT)
        self.standby.promote()
        self.server = self.standby
        self.database = "study"
        for node in self.nodes:
            node.collect()
            if not node.is_running:
                node.start_again()
        time.sleep(2 + 3 * self.random.random())

    def end(self):
        self.database = None
        super().end()
        for server in (self.primary, self.standby):
            server.signal(signal.SIGCONT)
            server.end()
