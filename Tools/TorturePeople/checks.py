"""What must hold when all faults are over."""
import os
import time

from . import model, web
from .follower import apply
from .model import Request


class Unanswered(Exception):
    """A node doesn't answer, so there is nothing to compare."""


class Checks:
    """The checks of a schedule, with everything running again."""

    def __init__(self, world):
        self.world, self.report = world, world.report

    def fail(self, kind, text):
        self.report.fail(kind, text)

    def run(self):
        """Compares all nodes with the model and with each other."""
        first = self.world.nodes[0]
        for person in self.world.present:
            self.attempt(self.check_person, person, first)
        for person in self.world.people:
            if person.erased:
                self.check_erased(person)
        # A node with an empty cache, and one with the cache of an earlier run.
        fresh = self.world.add_fresh_node()
        again = self.world.nodes[-1]
        again.kill()
        again.start_again()
        for person in self.world.present:
            for node in (fresh, again):
                self.attempt(self.compare, person, first, node)
        self.check_revoked()

    def attempt(self, check, *arguments):
        try:
            check(*arguments)
        except Unanswered:
            # It was reported.
            pass

    # One person

    def get(self, node, person, path):
        """Reads a resource, with patience for an answer that isn't final."""
        end = time.monotonic() + 40
        while True:
            answer = web.call(node.port, "GET", path, person.token)
            if answer.status == 200:
                self.world.check_secrecy(answer.body, person)
                return answer.body
            if answer.status not in (0, 500, 503) or time.monotonic() > end:
                self.fail("STUCK", f"{node.name} answers {path} with {answer}: "
                          + node.last_lines())
                raise Unanswered
            time.sleep(0.3)

    def pages(self, node, person, path, item, field):
        """Reads all pages of a resource."""
        bodies, cursor = [], None
        while True:
            body = self.get(node, person, path + (f"&{item}={cursor}" if cursor else ""))
            bodies.append(body)
            page = web.Answer(200, body).json or {}
            cursor = page.get(field)
            if not cursor or page.get("more") is False:
                return bodies

    def resources(self, node, person):
        """Returns the bytes of what a node answers, by resource."""
        found = {"changes": self.pages(node, person, "/v1/changes?limit=500", "after", "cursor")}
        for name in model.TYPES:
            found["samples " + name] = self.pages(
                node, person, f"/v1/samples/{name}?limit=10000", "cursor", "next")
            found["stats " + name] = [
                self.get(node, person, f"/v1/stats/{name}?by=day&by-source=true&time-zone=UTC")]
        for path in ("types", "sources", "explain/stepCount?day=2026-03-01"):
            found[path] = [self.get(node, person, "/v1/" + path)]
        return found

    def check_person(self, person, first):
        resources = self.resources(first, person)
        samples = {}
        for body in resources["changes"]:
            page = web.Answer(200, body).json or {"samples": [], "deletions": []}
            listed = [sample["uuid"] for sample in page["samples"]]
            if len(set(listed)) != len(listed) or set(listed) & set(samples):
                self.fail("DOUBLE", f"/v1/changes lists a sample of person {person.number} twice")
            apply(page, samples)
        self.check_model(person, samples)
        self.check_listing(person, samples, resources)
        self.check_sums(person, samples, resources)
        for node in self.world.nodes[1:]:
            self.compare(person, first, node, resources)
        self.check_followers(person, samples)
        self.check_accesses(person)

    def compare(self, person, first, node, resources=None):
        """Compares the bytes of two nodes' answers."""
        mine = resources or self.resources(first, person)
        for name, bodies in self.resources(node, person).items():
            if bodies != mine[name]:
                self.fail("DIFFERENT", f"{node.name} answers {name} of person {person.number} "
                          f"otherwise than {first.name}: {difference(mine[name], bodies)}")

    def check_model(self, person, samples):
        def is_stored(request):
            if request.state == Request.UNKNOWN:
                return request.witness in samples
            return request.state == Request.ACKNOWLEDGED
        for request in person.requests:
            is_there = request.witness in samples
            if request.state == Request.ACKNOWLEDGED and not is_there:
                self.fail("LOST", f"{request} of person {person.number} isn't stored")
            if request.state == Request.REFUSED and is_there:
                self.fail("STORED", f"{request} of person {person.number} is stored")
            if request.state == Request.UNKNOWN:
                self.report.count("unknown and stored" if is_there else "unknown and not stored")
        groups = [request.group for request in person.requests
                  if request.group and is_stored(request)]
        if len(groups) != len(set(groups)):
            self.fail("DOUBLE", "two bodies with one idempotency key are stored")
        expected = person.expected(is_stored)
        self.report.count("samples", len(expected))
        for uuid in sorted(set(expected) - set(samples))[:3]:
            self.fail("LOST", self.history(person, uuid))
        for uuid in sorted(set(samples) - set(expected))[:3]:
            self.fail("EXTRA", self.history(person, uuid))
        for uuid in sorted(set(samples) & set(expected)):
            if samples[uuid] != expected[uuid]:
                self.fail("CONTENT", f"{short(samples[uuid])} instead of "
                          f"{short(expected[uuid])} in {self.history(person, uuid)}")

    def history(self, person, uuid):
        """Describes the requests that mention a sample."""
        return f"sample {uuid} of person {person.number}: " + "; ".join(
            f"{request}: " + ("deletion" if record.sample is None else
                              ("foreign " if record.is_foreign else "") + short(record.sample))
            for request in person.requests for record in request.records if record.uuid == uuid)

    def check_listing(self, person, samples, resources):
        """Checks that samples are listed once each, with the content that changes have."""
        for name in model.TYPES:
            listed = []
            for body in resources["samples " + name]:
                listed += (web.Answer(200, body).json or {"samples": []})["samples"]
            found = {json["uuid"]: model.sample_of(json | {"type": name}) for json in listed}
            expected = {uuid: sample for uuid, sample in samples.items() if sample.type == name}
            if len(found) != len(listed) or found != expected:
                self.fail("DIFFERENT", f"/v1/samples/{name} of person {person.number} isn't what "
                          f"/v1/changes lists: {len(listed)} and {len(expected)} samples")

    def check_sums(self, person, samples, resources):
        """Checks the sums of days: samples don't overlap, so each one counts."""
        for name in model.SUMMED:
            days = {}
            for sample in samples.values():
                if sample.type == name:
                    days[sample.day] = days.get(sample.day, 0) + sample.value
            answer = web.Answer(200, resources["stats " + name][0]).json or {"buckets": []}
            begin = model.BEGIN.date().toordinal()
            found = {
                model.datetime.date.fromisoformat(bucket["start"][:10]).toordinal() - begin:
                bucket["sum"] for bucket in answer["buckets"]}
            if found != days:
                self.fail("SUM", f"{name} of person {person.number}: {found} instead of {days}")

    def check_followers(self, person, samples):
        """Checks that cursors from the time of the faults lead to the same samples."""
        follower = person.follower
        for cursor, known in ((follower.cursor, follower.samples), follower.middle):
            for node in self.world.nodes if cursor else []:
                found = dict(known)
                for body in self.follow(node, person, cursor):
                    apply(web.Answer(200, body).json, found)
                if found != samples:
                    lost, extra = set(samples) - set(found), set(found) - set(samples)
                    self.fail("FOLLOW", f"the cursor {cursor} leads to other samples on "
                              f"{node.name}: {len(lost)} missing, {len(extra)} too many")

    def follow(self, node, person, cursor):
        bodies = []
        while True:
            body = self.get(node, person, f"/v1/changes?limit=500&after={cursor}")
            bodies.append(body)
            page = web.Answer(200, body).json or {}
            cursor = page.get("cursor")
            if not cursor or not page.get("more"):
                return bodies

    def check_accesses(self, person):
        """Checks that each acknowledged request has a line in the log of accesses."""
        listed = self.world.people_command(
            "accesses", person.identifier, "--limit", "100000")["accesses"]
        writes = sum(line["action"] == "write" for line in listed)
        stored = sum(request.state == Request.ACKNOWLEDGED for request in person.requests)
        if writes < stored:
            self.fail("ACCESSES", f"{writes} lines for {stored} stored requests")

    # Erased people and revoked tokens

    def check_revoked(self):
        for device in self.world.devices:
            if not device.revoked or device.person.erased:
                continue
            for node in self.world.nodes:
                answer = device.post(device.PATH, b"{}", node)
                if answer.status != 401:
                    self.fail("REVOKED", f"{node.name} answers a revoked token with {answer}")

    def check_erased(self, person):
        for node in self.world.nodes:
            for method, path, token in [("GET", "/v1/changes", person.token)] + [
                    ("POST", device.PATH, device.token) for device in person.devices]:
                answer = web.call(
                    node.port, method, path, token, b"{}" if method == "POST" else None)
                if answer.status != 401:
                    self.fail("ERASED", f"{node.name} answers a token of an erased person with "
                              f"{answer}")
        for name, count in self.world.rows_of(person).items():
            if count:
                self.fail("ERASED", f"the table {name} has {count} rows of an erased person")
        end = time.monotonic() + 62
        while found := self.files_of(person):
            if time.monotonic() > end:
                self.fail("ERASED", "after 60 s there is data of an erased person in "
                          + ", ".join(found))
                break
            time.sleep(1)
        for name in self.files_with(person.label.encode()):
            self.report.remark("ERASED", f"a device's name or a key is left in {name}")
        if self.world.server:
            dump = self.world.server.dump(self.world.database)
            if any(text in dump for text in (person.marker, person.marker.encode().hex())):
                self.fail("ERASED", "the database has data of an erased person")
            if person.label in dump:
                self.report.remark("ERASED", "a device's name or a key is left in the database")

    def files_of(self, person):
        """Returns the files with data of a person, and folders with the person's name."""
        found = self.files_with(person.marker.encode())
        for folder in self.world.caches:
            path = f"{folder}/{person.identifier}"
            if os.path.exists(path):
                found.append(path)
        return found

    def files_with(self, text):
        found = []
        for root in self.world.searched:
            for folder, _, names in os.walk(root):
                for name in names:
                    path = os.path.join(folder, name)
                    try:
                        with open(path, "rb") as file:
                            if text in file.read():
                                found.append(path)
                    except OSError:
                        # It was removed meanwhile.
                        continue
        return found

    def check_logs(self):
        """Checks that no node has printed a name or a value."""
        for node in self.world.all_nodes:
            try:
                with open(node.log, errors="replace") as file:
                    text = file.read()
            except OSError:
                continue
            for person in self.world.people:
                if person.marker in text or person.label in text:
                    self.fail("SECRET", f"{node.name} has printed a name or a value")


def short(sample):
    return f"{sample.value} {sample.end - sample.start} s {sample.note[17:25]}"


def difference(first, second):
    """Describes the first bytes that differ."""
    one, other = b"".join(first), b"".join(second)
    place = next((index for index, (a, b) in enumerate(zip(one, other)) if a != b),
                 min(len(one), len(other)))
    return f"{one[max(place - 60, 0):place + 60]!r} and {other[max(place - 60, 0):place + 60]!r}"
