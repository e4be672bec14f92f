"""What the people of a schedule have sent, and what the server must have of it."""
import datetime
import threading
import uuid as uuids
from typing import NamedTuple

BEGIN = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
SLOT = 600

# Type, unit, and whether samples are intervals.
TYPES = {
    "HKQuantityTypeIdentifierStepCount": ("count", True),
    "HKQuantityTypeIdentifierActiveEnergyBurned": ("kcal", True),
    "HKQuantityTypeIdentifierHeartRate": ("count/min", False),
    "HKQuantityTypeIdentifierBodyMass": ("kg", False),
}
SUMMED = [name for name, (_, is_interval) in TYPES.items() if is_interval]


class Sample(NamedTuple):
    """The content of a sample. Times are in seconds after BEGIN."""
    type: str
    start: int
    end: int
    value: float
    source: str
    bundle: str
    note: str

    @property
    def day(self):
        return self.start // 86_400


def text(seconds):
    """Returns a time of a sample in RFC 3339."""
    moment = BEGIN + datetime.timedelta(seconds=seconds)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def sample_of(json):
    """Returns the content of a sample in an answer of the API."""
    def seconds(field):
        return (datetime.datetime.fromisoformat(json[field]) - BEGIN).total_seconds()
    start = seconds("start")
    end = seconds("end") if "end" in json else start
    return Sample(
        json["type"], int(start), int(end), json["value"], json["source"],
        json["bundleIdentifier"], json.get("metadata", {}).get("note"))


class Record(NamedTuple):
    """A record of a request: a sample with its content, or a deletion without.

    A foreign sample is one that another device has sent before: the content doesn't count.
    """
    uuid: str
    sample: Sample | None
    is_foreign: bool = False


class Request:
    """A request of a device. Its witness is a new sample that nothing else mentions: it shows
    whether the request was stored."""

    UNKNOWN, ACKNOWLEDGED, REFUSED = "unknown", "acknowledged", "refused"

    def __init__(self, device, order, records, witness):
        self.device, self.order, self.records, self.witness = device, order, records, witness
        self.state = Request.UNKNOWN
        # Of several requests with one group, at most one may be stored.
        self.group = None
        self.receipt = None

    def acknowledge(self):
        self.state = Request.ACKNOWLEDGED

    def __repr__(self):
        return f"request {self.order} of {self.device.name} ({self.state})"


class Person:
    """A person of a schedule.

    The marker is in the person's name, in the names of sources and in metadata. The label is in
    names of devices, streams and idempotency keys, which aren't health data.
    """

    def __init__(self, number, random, is_bulky):
        self.number = number
        self.marker = "m%016x" % random.getrandbits(64)
        self.label = "k%016x" % random.getrandbits(64)
        self.is_bulky = is_bulky
        self.identifier = None
        self.token = None
        self.devices = []
        self.lock = threading.Lock()
        self.requests = []
        # Stored samples: device, UUID and content.
        self.shared = []
        self.next_slot = 0
        # Set before and after the command that erases the person.
        self.erasing = False
        self.erased = False

    def new_slot(self):
        with self.lock:
            self.next_slot += 1
            return self.next_slot - 1

    def add(self, request):
        with self.lock:
            self.requests.append(request)

    def expected(self, is_stored):
        """Returns the samples that the stored requests leave, by UUID."""
        latest, deleted = {}, set()
        for request in filter(is_stored, self.requests):
            for record in request.records:
                if record.sample is None:
                    deleted.add(record.uuid)
                elif not record.is_foreign:
                    known = latest.get(record.uuid)
                    if known is None or known[0] <= request.order:
                        latest[record.uuid] = (request.order, record.sample)
        return {uuid: sample for uuid, (_, sample) in latest.items() if uuid not in deleted}


def new_uuid(random):
    return str(uuids.UUID(int=random.getrandbits(128), version=4)).upper()
