"""A program that follows the changes of a person while nodes fail."""
import random
import threading
import time

from . import model, web


class Follower(threading.Thread):
    """A program that follows the changes of a person from a cursor, on any node."""

    def __init__(self, world, person, seed):
        super().__init__(daemon=True)
        self.world, self.person = world, person
        self.random = random.Random(seed)
        self.cursor = None
        self.samples = {}
        # An earlier cursor, with the samples that it had led to.
        self.middle = (None, {})
        self.is_stopping = threading.Event()

    def run(self):
        while not self.is_stopping.is_set() and not self.person.erasing:
            node = self.random.choice(self.world.nodes)
            self.advance(node.port, self.random.choice([1, 3, 20, 1000]))
            if self.random.random() < 0.1:
                self.middle = (self.cursor, dict(self.samples))
            time.sleep(self.random.random() * 0.2)

    def advance(self, port, limit):
        """Reads one page. Returns the answer, or None if there is none now."""
        path = f"/v1/changes?limit={limit}"
        if self.cursor:
            path += "&after=" + self.cursor
        answer = web.call(port, "GET", path, self.person.token)
        if not answer.was_refused:
            self.world.report.count(f"read {answer.status}")
        self.world.check_secrecy(answer.body, self.person)
        if answer.status in (0, 503) or self.person.erasing:
            return None
        if answer.status != 200:
            self.world.report.fail("FOLLOW", f"{path} answered {answer}")
            return None
        page = answer.json
        apply(page, self.samples)
        self.cursor = page["cursor"]
        return page


def apply(page, samples):
    """Applies a page of changes to samples by UUID."""
    for sample in page["samples"]:
        samples[sample["uuid"]] = model.sample_of(sample)
    for deletion in page["deletions"]:
        samples.pop(deletion["uuid"], None)
