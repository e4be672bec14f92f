"""A TCP proxy between a node and PostgreSQL that loses, delays and cuts what it forwards."""
import socket
import struct
import threading
import time


class CommitTrap:
    """What happens at the next COMMIT of a transaction that adds to a log.

    - Parameters:
      - action: "lose-request", "lose-answer", "cut-at-once", "before", "at" or "after". The last
        three call `strike` before the request is forwarded, when it was, and when the answer was.
      - strike: Kills a process, for example.
      - delay: The seconds for which the request is held.
    """

    def __init__(self, action, strike=None, delay=0.0, pause=0.0):
        self.action, self.strike, self.delay, self.pause = action, strike, delay, pause
        self.sprung = threading.Event()


class Connection:
    """One connection through the proxy, with a thread for each direction."""

    def __init__(self, proxy, client, server):
        self.proxy, self.client, self.server = proxy, client, server
        self.has_entry = False
        self.drop_answers = False
        self.after_answer = None
        for target in (self.forward_requests, self.forward_answers):
            threading.Thread(target=target, daemon=True).start()

    def close(self, reset=False):
        for end in (self.client, self.server):
            try:
                if reset:
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            try:
                end.close()
            except OSError:
                pass
        self.proxy.forget(self)

    def forward_requests(self):
        try:
            while data := self.client.recv(65536):
                if b"\0BEGIN" in data:
                    self.has_entry = False
                if b"INSERT INTO entry" in data:
                    self.has_entry = True
                trap = None
                if self.has_entry and b"\0COMMIT\0" in data:
                    self.has_entry = False
                    trap = self.proxy.take_trap()
                if trap:
                    if not self.spring(trap, data):
                        return self.close(reset=True)
                elif not self.pass_on(data, self.server, "requests"):
                    return self.close(reset=True)
        except OSError:
            pass
        self.close()

    def forward_answers(self):
        try:
            while data := self.server.recv(65536):
                if self.drop_answers:
                    self.drop_answers = False
                    return self.close(reset=True)
                if not self.pass_on(data, self.client, "answers"):
                    return self.close(reset=True)
                if self.after_answer:
                    strike, self.after_answer = self.after_answer, None
                    strike()
        except OSError:
            pass
        self.close()

    def spring(self, trap, data):
        """Forwards a COMMIT as a trap says. Returns false if the connection is to end."""
        trap.sprung.set()
        if trap.delay:
            time.sleep(trap.delay)
        if trap.action == "lose-request":
            return False
        if trap.action == "before":
            trap.strike()
            return False
        if trap.action == "lose-answer":
            self.drop_answers = True
        if trap.action == "after":
            def strike():
                time.sleep(trap.pause)
                trap.strike()
            self.after_answer = strike
        self.server.sendall(data)
        if trap.action == "at":
            time.sleep(trap.pause)
            trap.strike()
        return trap.action != "cut-at-once"

    def pass_on(self, data, target, direction):
        """Forwards bytes with the current faults. Returns false if the connection is to end."""
        proxy = self.proxy
        while proxy.is_silent:
            time.sleep(0.02)
        if proxy.maximum_delay:
            time.sleep(proxy.random.random() * proxy.maximum_delay)
        limit = proxy.take_limit(direction, len(data))
        if limit is not None:
            target.sendall(data[:limit])
            return False
        target.sendall(data)
        return True


class Proxy:
    """A proxy on a port of its own. It forwards everything until a fault is set."""

    def __init__(self, target_port, random):
        self.target_port, self.random = target_port, random
        self.lock = threading.Lock()
        self.connections = set()
        self.trap = None
        # Bytes until connections are cut, by direction.
        self.limits = {}
        self.maximum_delay = 0.0
        self.is_silent = False
        self.is_refusing = False
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.is_refusing:
                client.close()
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self.target_port), timeout=5)
                server.settimeout(None)
            except OSError:
                client.close()
                continue
            for end in (client, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection = Connection(self, client, server)
            with self.lock:
                self.connections.add(connection)

    def forget(self, connection):
        with self.lock:
            self.connections.discard(connection)

    def set_trap(self, trap):
        with self.lock:
            self.trap = trap

    def take_trap(self):
        with self.lock:
            trap, self.trap = self.trap, None
            return trap

    def take_limit(self, direction, count):
        """Returns how many of the next bytes are forwarded before the cut; None for all."""
        with self.lock:
            limit = self.limits.get(direction)
            if limit is None:
                return None
            if count <= limit:
                self.limits[direction] = limit - count
                return None
            del self.limits[direction]
            return limit

    def cut(self):
        """Ends all connections."""
        with self.lock:
            connections = list(self.connections)
        for connection in connections:
            connection.close(reset=True)

    def heal(self):
        """Ends all faults."""
        was_silent = self.is_silent
        with self.lock:
            self.trap, self.limits = None, {}
        self.maximum_delay, self.is_silent, self.is_refusing = 0.0, False, False
        if was_silent and self.random.random() < 0.5:
            self.cut()

    def close(self):
        self.listener.close()
        self.cut()
