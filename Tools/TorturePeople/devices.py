"""Phones that send samples, in two formats."""
import base64
import json
import random
import threading
import time

from . import model, web
from .model import Record, Request, Sample

# The creation date of records without one is the time of arrival.
OBSERVED = 10_000_000


class Device(threading.Thread):
    """A phone of a person. It sends one request after the other, to any node.

    Attributes:
      own: The newest content that it has sent of each sample, except witnesses.
      revoking, revoked: Set before and after the command that revokes its token.
    """

    def __init__(self, world, person, number, seed):
        super().__init__(daemon=True)
        self.world, self.person, self.report = world, person, world.report
        self.random = random.Random(seed)
        self.name = f"Phone {number} {person.label}"
        self.token = None
        self.order = 0
        self.own = {}
        self.doomed = []
        self.revoking = False
        self.revoked = False
        self.is_stopping = threading.Event()
        self.is_refused = False

    # Content

    def new_sample(self):
        name = self.random.choice(list(model.TYPES))
        start = self.person.new_slot() * model.SLOT
        end = start + 300 if model.TYPES[name][1] else start
        source = f"{self.person.marker} {self.random.choice(['Watch', 'Phone'])} {self.number}"
        return Sample(
            name, start, end, self.random.randint(1, 400), source,
            "com.example." + source.replace(" ", "."), self.note())

    def note(self):
        # Random text, so that compression doesn't help against copies of the store.
        count = self.random.randint(6_000, 15_000) if self.person.is_bulky else 6
        return self.person.marker + base64.b64encode(self.random.randbytes(count)).decode()

    def corrected(self, sample):
        end = sample.end + 60 if sample.end > sample.start and sample.end % 120 == 0 else sample.end
        return sample._replace(
            value=sample.value % 400 + self.random.randint(1, 9), note=self.note(), end=end)

    def new_request(self):
        """Returns a request with a new sample, and at random more of them, corrections, deletions
        and samples of other devices."""
        chance, person = self.random.random, self.person
        self.order += 1
        witness = Record(model.new_uuid(self.random), self.new_sample())
        records = [witness]
        for _ in range(self.random.randint(15, 40) if person.is_bulky else
                       self.random.randint(0, 4)):
            record = Record(model.new_uuid(self.random), self.new_sample())
            if self.doomed and chance() < 0.3:
                record = record._replace(uuid=self.doomed.pop())
            records.append(record)
        used = {record.uuid for record in records}
        for uuid in self.random.sample(sorted(self.own), min(len(self.own), 2)):
            if chance() < 0.5:
                records.append(Record(uuid, self.corrected(self.own[uuid])))
                used.add(uuid)
        with person.lock:
            others = [entry for entry in person.shared if entry[0] is not self]
        for probability in (0.25, 0.1):
            pool = sorted(set(self.own) - used) if probability > 0.2 else \
                sorted({uuid for _, uuid, _ in others} - used)
            if pool and chance() < probability:
                records.append(Record(self.random.choice(pool), None))
                used.add(records[-1].uuid)
        if chance() < 0.05:
            self.doomed.append(model.new_uuid(self.random))
            records.append(Record(self.doomed[-1], None))
        if others and chance() < 0.15:
            _, uuid, sample = self.random.choice(others)
            if uuid not in used:
                records.append(Record(uuid, self.corrected(sample), is_foreign=True))
        if chance() < 0.1:
            records.append(self.random.choice(records))
        self.random.shuffle(records)
        for record in records:
            if record.sample and not record.is_foreign and record.uuid != witness.uuid:
                self.own[record.uuid] = record.sample
        request = Request(self, self.order, records, witness.uuid)
        person.add(request)
        return request

    def acknowledge(self, request):
        """Notes that a request was stored, so that other devices can mention its samples."""
        if request.state == Request.REFUSED:
            self.report.fail("STORED", f"{request} was stored though it was refused")
        if request.state != Request.ACKNOWLEDGED:
            request.acknowledge()
            self.report.count("acknowledged")
            with self.person.lock:
                self.person.shared += [
                    (self, record.uuid, record.sample) for record in request.records
                    if record.sample and not record.is_foreign and record.uuid != request.witness]

    # Sending

    def post(self, path, body, node=None, **headers):
        """Sends a body, and checks what is common to all answers."""
        node = node or self.random.choice(self.world.nodes)
        was_revoked = self.revoked or self.person.erased
        fields = [("Content-Type", "application/x-ndjson")]
        fields += [(name.replace("_", "-"), value) for name, value in headers.items()]
        answer = web.call(node.port, "POST", path, self.token, body, fields)
        while answer.was_refused and not self.is_stopping.is_set():
            # Nothing was sent.
            time.sleep(0.02)
            node = self.random.choice(self.world.nodes)
            answer = web.call(node.port, "POST", path, self.token, body, fields)
        self.report.count(f"push {answer.status}")
        self.report.maximum("seconds for the slowest push", answer.seconds)
        if answer.was_late:
            self.report.fail("HANG", f"{node.name} didn't answer a request within 90 s")
        if answer.status == 401:
            if not (self.revoking or self.person.erasing):
                self.report.fail("REFUSED", f"401 for a valid token of {self.name}")
            self.is_refused = True
        elif was_revoked and answer.status not in (0, 503):
            self.report.fail("REVOKED", f"{answer} for a revoked token")
        if answer.status not in (0, 200, 401, 409, 503):
            self.report.fail("STATUS", f"{path} answered {answer}")
        self.world.check_secrecy(answer.body, self.person)
        return answer

    def post_to_all(self, path, bodies, **headers):
        """Sends bodies to several nodes at the same time. Returns the answers."""
        answers = [None] * len(bodies)
        nodes = self.random.sample(self.world.nodes, len(self.world.nodes))
        def send(index):
            answers[index] = self.post(path, bodies[index], nodes[index % len(nodes)], **headers)
        threads = [threading.Thread(target=send, args=(i,)) for i in range(len(bodies))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return answers

    def check_receipt(self, request, answer):
        """Checks the receipt of a stored request, and that it stays the same."""
        receipt = answer.json
        numbers = ("accepted", "duplicate", "changed", "deleted", "rejected", "totals",
                   "provisional", "unknown")
        if not receipt or receipt.get("received") != len(request.records) \
                or sum(receipt.get(name, 0) for name in numbers) != len(request.records):
            self.report.fail("RECEIPT", f"{request} got {answer}")
        return receipt

    def read_back(self, request):
        """Checks that a node shows a request that another one has acknowledged."""
        record = next(record for record in request.records if record.uuid == request.witness)
        start = record.sample.start
        path = (f"/v1/samples/{record.sample.type}?from={model.text(start)}"
                f"&to={model.text(start + 1)}")
        answer = web.call(
            self.random.choice(self.world.nodes).port, "GET", path, self.person.token)
        self.report.count(f"read {answer.status}")
        if answer.status == 200 and request.witness not in answer.body.decode():
            if not self.person.erasing:
                self.report.fail("STALE", f"an acknowledged sample of {request} isn't shown")

    def run(self):
        while not self.is_stopping.is_set() and not self.is_refused:
            try:
                self.step()
            except Exception as error:
                self.report.fail("TOOL", f"{type(error).__name__} in a device: {error}")
                raise
            time.sleep(self.random.random() * self.world.pace)

    def patience(self):
        """How often a request is sent before the device gives up."""
        return self.random.choice([1, 2, 4, 8])

    def finish(self):
        """Sends what is unknown again, and a new request, when everything works again."""
        if self.is_refused or self.revoking or self.person.erasing:
            return
        if self.random.random() < 0.5:
            self.resolve()
        for node in self.world.nodes:
            if not self.deliver(self.new_request(), 40, node) and not self.is_refused:
                self.report.fail("STUCK", f"{node.name} refuses {self.name} without a fault")


class ChangesDevice(Device):
    """A device that sends by the protocol `changes`, one stream in pages with cursors."""

    PATH = "/v1/changes"

    def __init__(self, world, person, number, seed):
        super().__init__(world, person, number, seed)
        self.number = number
        self.stream = f"{person.label}/{number}"
        self.position = None
        self.pages = 0
        # Pages of which the outcome is unknown: cursor after the page, and request.
        self.pending = []
        self.known = set()
        self.has_dates = self.random.random() < 0.6
        self.has_restarted = False

    def body(self, request, begin, to):
        lines = [{"kind": "page", "version": 1, "stream": self.stream, "from": begin, "to": to,
                  "timeZone": "Europe/Berlin"}]
        for uuid, sample, _ in request.records if request else []:
            if sample is None:
                lines.append({"kind": "deletion", "uuid": uuid})
                continue
            line = {
                "kind": "sample", "uuid": uuid, "type": sample.type,
                "start": model.text(sample.start), "end": model.text(sample.end),
                "value": sample.value, "unit": model.TYPES[sample.type][0],
                "source": {"name": sample.source, "bundleIdentifier": sample.bundle},
                "metadata": {"note": sample.note}}
            if self.has_dates:
                line["created"] = model.text(OBSERVED + request.order)
            lines.append(line)
        return "".join(json.dumps(line) + "\n" for line in lines).encode()

    def new_cursor(self):
        self.pages += 1
        return f"{self.pages}-{self.random.getrandbits(32):08x}"

    def begin(self):
        """Sends the first page, without records: before any fault."""
        cursor = self.new_cursor()
        answer = self.post(self.PATH, self.body(None, None, cursor))
        if answer.status != 200:
            self.report.fail("STATUS", f"the first page was answered {answer}")
        self.move_to(cursor)

    def move_to(self, cursor):
        """Notes the server's cursor. What was sent from another one can't be stored any more."""
        for to, request in self.pending:
            if to == cursor:
                self.acknowledge(request)
        stored = {to for to, _ in self.pending if to == cursor}
        for to, request in self.pending:
            if to not in stored and request.state == Request.UNKNOWN:
                request.state = Request.REFUSED
        self.pending = []
        self.position = cursor
        self.known.add(cursor)

    def deliver(self, request, patience=None, node=None):
        """Sends a request until it is stored or the patience is used up."""
        cursor = self.new_cursor()
        for _ in range(patience or self.patience()):
            body = self.body(request, self.position, cursor)
            if all(request is not sent for _, sent in self.pending):
                self.pending.append((cursor, request))
            if node is None and len(self.world.nodes) > 1 and self.random.random() < 0.1:
                answers = self.post_to_all(self.PATH, [body, body])
            else:
                answers = [self.post(self.PATH, body, node)]
            if [answer.status for answer in answers] == [200, 200]:
                self.report.fail("CURSOR", f"{request}: a page was accepted twice")
            for answer in answers:
                self.take(request, cursor, answer)
            if self.is_refused or request.state == Request.ACKNOWLEDGED:
                return request.state == Request.ACKNOWLEDGED
            if request.state == Request.REFUSED:
                # An earlier page was stored: this one is sent from its cursor on.
                request.state = Request.UNKNOWN
                cursor = self.new_cursor()
                continue
            time.sleep(0.02 + 0.3 * self.random.random())
        return False

    def take(self, request, cursor, answer):
        if answer.status == 200:
            receipt = self.check_receipt(request, answer)
            if receipt and receipt.get("cursor") != cursor:
                self.report.fail("CURSOR", f"{request} from {self.position} got {answer}")
            self.move_to(cursor)
        elif answer.status == 409:
            self.follow(request, (answer.json or {}).get("cursor"))

    def follow(self, request, cursor):
        """Goes to the server's cursor, after it has refused a page."""
        if cursor == self.position:
            # One of two equal requests was stored; the refusal is the answer to the other one.
            if request.state != Request.ACKNOWLEDGED:
                self.report.fail("CURSOR", f"409 with the cursor at which {request} begins")
            return
        if not any(to == cursor for to, _ in self.pending):
            # A late request from null can have moved it back to an earlier page.
            if not (self.has_restarted and cursor in self.known):
                self.report.fail(
                    "CURSOR", f"{request}: the server's cursor is {cursor}, not {self.position}")
        self.move_to(cursor)

    def ask(self):
        """Asks for the server's cursor."""
        answer = self.post(self.PATH, self.body(None, self.position, self.position))
        if answer.status == 409:
            cursor = (answer.json or {}).get("cursor")
            is_known = any(to == cursor for to, _ in self.pending) \
                or self.has_restarted and cursor in self.known
            if not is_known:
                self.report.fail("CURSOR", f"the server's cursor is {cursor}, not {self.position}")
            self.move_to(cursor)

    def repeat_everything(self):
        """Begins the stream anew and sends all samples again, as after a loss of the database."""
        if self.pending or not self.has_dates or not self.own:
            return
        request = self.new_request()
        sent = {record.uuid for record in request.records}
        request.records += [
            Record(uuid, sample) for uuid, sample in sorted(self.own.items()) if uuid not in sent]
        self.has_restarted = True
        cursor = self.new_cursor()
        body = self.body(request, None, cursor)
        while not self.is_refused:
            answer = self.post(self.PATH, body)
            if answer.status == 200:
                self.check_receipt(request, answer)
                self.acknowledge(request)
                self.position = cursor
                self.known.add(cursor)
                return
            if answer.status == 409:
                return self.report.fail("CURSOR", f"409 for a page from null: {answer}")
            if self.is_stopping.is_set() and not self.world.is_healthy:
                self.is_refused = True
            time.sleep(0.1)

    def step(self):
        chance = self.random.random()
        if chance < 0.05:
            self.ask()
        elif chance < 0.08:
            self.repeat_everything()
        else:
            request = self.new_request()
            if self.deliver(request) and self.random.random() < 0.3:
                self.read_back(request)

    def resolve(self):
        self.ask()


class ExporterDevice(Device):
    """A device that sends as Open Health Exporter: batches with idempotency keys."""

    PATH = "/v1/intake/open-health-exporter"

    def __init__(self, world, person, number, seed):
        super().__init__(world, person, number, seed)
        self.number = number
        # What was sent: key, body and request.
        self.sent = []

    def body(self, request):
        lines = []
        for uuid, sample, _ in request.records:
            line = {"batchSeq": 1, "v": 1, "uuid": uuid.lower(),
                    "observedAt": model.text(OBSERVED + request.order)}
            if sample is None:
                line |= {"kind": "tombstone", "reason": "healthKitDeleted"}
            else:
                line |= {
                    "kind": "sample.quantity", "hkIdentifier": sample.type,
                    "start": model.text(sample.start), "end": model.text(sample.end),
                    "value": sample.value, "unit": model.TYPES[sample.type][0],
                    "source": {"name": sample.source, "bundleId": sample.bundle},
                    "metadata": {"note": sample.note}}
            lines.append(line)
        return "".join(json.dumps(line) + "\n" for line in lines).encode()

    def new_key(self):
        return f"{self.person.label}-{self.random.getrandbits(48):012x}"

    def begin(self):
        """Nothing: batches are independent of each other."""

    def deliver(self, request, patience=None, node=None):
        key, body = self.new_key(), self.body(request)
        self.sent.append((key, body, request))
        return self.send(key, body, request, patience or self.patience(), node)

    def send(self, key, body, request, patience, node=None):
        for _ in range(patience):
            if node is None and len(self.world.nodes) > 1 and self.random.random() < 0.1:
                answers = self.post_to_all(self.PATH, [body, body], Idempotency_Key=key)
            else:
                answers = [self.post(self.PATH, body, node, Idempotency_Key=key)]
            for answer in answers:
                self.take(request, answer)
            if self.is_refused or request.state == Request.ACKNOWLEDGED:
                return request.state == Request.ACKNOWLEDGED
            time.sleep(0.02 + 0.3 * self.random.random())
        return False

    def take(self, request, answer):
        if answer.status == 200:
            receipt = self.check_receipt(request, answer)
            if request.receipt is None:
                request.receipt = receipt
            elif request.receipt != receipt:
                self.report.fail(
                    "RECEIPT", f"{request} got {receipt} after {request.receipt}")
            self.acknowledge(request)
        elif answer.status == 409:
            self.report.fail("KEY", f"409 for the only body of a key: {answer}")

    def reuse_key(self):
        """Sends another body with the key of a stored request: it must be refused."""
        stored = [entry for entry in self.sent if entry[2].state == Request.ACKNOWLEDGED]
        if not stored:
            return
        key, _, _ = self.random.choice(stored)
        request = self.lone_request()
        request.state = Request.REFUSED
        answer = self.post(self.PATH, self.body(request), Idempotency_Key=key)
        if answer.status == 200:
            self.report.fail("KEY", "another body was accepted with the key of a stored request")

    def lone_request(self):
        """A request with one new sample that no other request mentions."""
        self.order += 1
        witness = Record(model.new_uuid(self.random), self.new_sample())
        request = Request(self, self.order, [witness], witness.uuid)
        self.person.add(request)
        return request

    def race(self):
        """Sends two bodies with one key at the same time: one at most may be stored."""
        pair = [self.lone_request(), self.lone_request()]
        key, group = self.new_key(), object()
        for request in pair:
            request.group = group
        bodies = [self.body(request) for request in pair]
        answers = self.post_to_all(self.PATH, bodies, Idempotency_Key=key)
        for request, answer in zip(pair, answers):
            if answer.status == 200:
                self.take(request, answer)
            elif answer.status == 409:
                request.state = Request.REFUSED
                # So the other body was stored.
                other = pair[1 - pair.index(request)]
                if answers[1 - pair.index(request)].status in (0, 503):
                    self.acknowledge(other)
        if [answer.status for answer in answers] == [409, 409]:
            self.report.fail("KEY", "both of two bodies with one new key were refused")

    def repeat_everything(self):
        """Sends all batches again: with their keys, or with new ones."""
        with_keys = self.random.random() < 0.6
        for key, body, request in list(self.sent):
            if self.is_stopping.is_set() or self.is_refused:
                return
            if with_keys:
                self.send(key, body, request, 1)
            else:
                answer = self.post(self.PATH, body, Idempotency_Key=self.new_key())
                if answer.status == 200:
                    self.acknowledge(request)

    def step(self):
        chance = self.random.random()
        if chance < 0.06:
            self.reuse_key()
        elif chance < 0.12:
            self.race()
        elif chance < 0.15:
            self.repeat_everything()
        else:
            request = self.new_request()
            if self.deliver(request) and self.random.random() < 0.3:
                self.read_back(request)

    def resolve(self):
        for key, body, request in self.sent:
            if request.state == Request.UNKNOWN and not self.is_refused:
                self.send(key, body, request, 40)
