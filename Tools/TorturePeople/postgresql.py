"""Private PostgreSQL servers in a temporary folder."""
import glob
import os
import shutil
import time

from . import processes
from .processes import Failure


def programs():
    """The folder with PostgreSQL's programs."""
    found = glob.glob("/usr/lib/postgresql/*/bin") + ["/usr/local/bin", "/usr/bin"]
    found.sort(key=lambda path: -int("0" + "".join(filter(str.isdigit, path))))
    for folder in found:
        if os.access(folder + "/initdb", os.X_OK) and os.access(folder + "/postgres", os.X_OK):
            return folder
    raise Failure("PostgreSQL's server isn't installed.")


class Server:
    """A server with durable commits (fsync on). The role of nodes, `health`, is no superuser."""

    def __init__(self, folder, settings=()):
        self.folder = folder
        self.settings = list(settings)
        self.programs = programs()
        self.port = processes.free_port()
        os.makedirs(folder, mode=0o700)
        if os.geteuid() == 0:
            owner = processes.postgres_user()
            os.chown(folder, owner.pw_uid, owner.pw_gid)

    @property
    def data(self):
        return self.folder + "/data"

    def create(self):
        """Creates the cluster, starts it, and adds the role of the nodes."""
        self.call("initdb", "-D", self.data, "-U", "owner", "--auth=trust", "-E", "UTF8",
                  "--locale=C", "-N")
        self.start()
        self.sql("CREATE ROLE health LOGIN NOSUPERUSER")
        return self

    def copy(self, primary, name):
        """Creates the cluster as a standby of another server, and starts it."""
        self.call("pg_basebackup", "-D", self.data, "-R", "-X", "stream", "-c", "fast", "-d",
                  f"host=127.0.0.1 port={primary.port} user=owner application_name={name}")
        self.start()
        return self

    def call(self, program, *arguments, check=True):
        done = processes.run(
            processes.as_postgres([f"{self.programs}/{program}", *arguments]), cwd="/")
        if check and done.returncode != 0:
            raise Failure(f"{program} failed: {done.stderr.strip()[-500:]}")
        return done

    # Starting and stopping

    def start(self):
        """Starts the server and waits until it accepts connections."""
        settings = [
            f"port={self.port}", f"unix_socket_directories={self.folder}",
            "listen_addresses=127.0.0.1", "fsync=on", "ssl=off", "shared_buffers=16MB",
            "max_connections=60", "restart_after_crash=off", *self.settings]
        options = " ".join(f"-c {setting}" for setting in settings)
        for _ in range(5):
            # Its own log keeps pg_ctl from waiting for the end of a pipe.
            done = self.call("pg_ctl", "-D", self.data, "-w", "-t", "60", "-l",
                             self.folder + "/log", "-o", options, "start", check=False)
            if done.returncode == 0:
                return
            time.sleep(0.5)
        raise Failure(f"PostgreSQL didn't start: {done.stdout[-300:]} {self.log()[-600:]}")

    def log(self):
        try:
            with open(self.folder + "/log", errors="replace") as file:
                return file.read()
        except OSError:
            return ""

    @property
    def pid(self):
        """The process of the running server; None if there is none."""
        try:
            with open(self.data + "/postmaster.pid") as file:
                pid = int(file.readline())
            os.kill(pid, 0)
            return pid
        except (OSError, ValueError):
            return None

    def kill(self):
        """Kills all processes of the server at once, as a power failure of the process does."""
        if pid := self.pid:
            processes.kill_family(pid)
            processes.wait_until(lambda: self.pid is None, 10)

    def stop(self, mode):
        """Stops the server: "immediate" as after a crash, "fast" with a checkpoint."""
        self.call("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop", check=False)

    def signal(self, number):
        """Sends a signal to all processes of the server."""
        if pid := self.pid:
            for process in [pid] + processes.children(pid):
                processes.send(process, number)

    def promote(self):
        self.call("pg_ctl", "-D", self.data, "-w", "-t", "60", "promote")

    def end(self):
        """Stops the server and removes its folder."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    # Databases

    def sql(self, statement, database="postgres"):
        """Runs a statement as the superuser, and returns its output without headers."""
        done = processes.run([
            self.programs + "/psql", "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1",
            "-p", str(self.port), "-U", "owner", "-d", database, "-c", statement])
        if done.returncode != 0:
            raise Failure(f"psql failed: {done.stderr.strip()[-300:]}")
        return done.stdout.strip()

    def add_database(self, name):
        self.sql(f"CREATE DATABASE {name} OWNER health")

    def drop_database(self, name):
        self.sql(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def dump(self, database):
        """Returns the whole database as text, also the rows that row-level security hides."""
        done = processes.run([
            self.programs + "/pg_dump", "-h", "127.0.0.1", "-p", str(self.port), "-U", "owner",
            "-d", database])
        if done.returncode != 0:
            raise Failure(f"pg_dump failed: {done.stderr.strip()[-300:]}")
        return done.stdout


def address(database, *ports):
    """Returns the address of a database for nodes; with several ports, of its servers."""
    hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
    return f"postgresql://health@{hosts}/{database}?sslmode=disable&gssencmode=disable"
