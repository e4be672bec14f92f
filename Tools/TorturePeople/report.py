"""What a schedule has found."""
import threading


class Report:
    """The findings of a schedule, from all threads.

    A failure is against a promise of the documentation. A remark is worth a look.
    """

    def __init__(self):
        self.lock = threading.Lock()
        self.failures = []
        self.remarks = []
        self.counts = {}

    def fail(self, kind, text):
        with self.lock:
            line = f"{kind}: {text}"
            if line not in self.failures:
                self.failures.append(line)
                if len(self.failures) <= 20:
                    print("    " + line[:1500], flush=True)

    def remark(self, kind, text):
        with self.lock:
            line = f"{kind}: {text}"
            if line not in self.remarks:
                self.remarks.append(line)

    def count(self, name, number=1):
        with self.lock:
            self.counts[name] = self.counts.get(name, 0) + number

    def maximum(self, name, value):
        with self.lock:
            self.counts[name] = max(self.counts.get(name, 0), value)
