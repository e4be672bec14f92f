"""Requests to nodes."""
import http.client
import json
import socket
import time


class Answer:
    """The answer to a request. The status is 0 if there was none, so its effect is unknown."""

    def __init__(self, status, body=b"", seconds=0.0, was_late=False, was_refused=False):
        self.status, self.body, self.seconds = status, body, seconds
        # Whether the time was up, and whether no connection was accepted.
        self.was_late, self.was_refused = was_late, was_refused

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


def call(port, method, path, token=None, body=None, headers=(), timeout=90):
    """Sends a request to a node on this computer, on a connection of its own."""
    begin = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    fields = dict(headers)
    if token:
        fields["Authorization"] = "Bearer " + token
    try:
        connection.request(method, path, body=body, headers=fields)
        answer = connection.getresponse()
        content = answer.read()
        return Answer(answer.status, content, time.monotonic() - begin)
    except (socket.timeout, TimeoutError):
        return Answer(0, b"no answer in time", time.monotonic() - begin, was_late=True)
    except (OSError, http.client.HTTPException) as error:
        return Answer(
            0, type(error).__name__.encode(), time.monotonic() - begin,
            was_refused=isinstance(error, ConnectionRefusedError))
    finally:
        connection.close()
