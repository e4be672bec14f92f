"""Writes an export as it was a month earlier: without the records created in its last 30 days, and
with other memory addresses of devices, which differ in every export.

    earlier_export.py export.xml earlier.xml
    earlier_export.py export.zip earlier.zip

Knows the form of our simulator's files: one element starts on each line. A zip is read and written
without a file for its XML. Its other files are copied.
"""

import datetime
import io
import re
import shutil
import sys
import zipfile
from typing import TextIO

DATE = re.compile(r'<ExportDate value="([^"]+)"')
ADDRESS = re.compile(r"(HKDevice: 0x)([0-9a-f]+)")
CREATED = re.compile(r'creationDate="(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)')


def write_earlier(lines: TextIO, out: TextIO) -> None:
    cutoff = ""
    skipping = False
    for line in lines:
        if skipping:
            skipping = "</Record>" not in line
            continue
        if not cutoff and (date := DATE.search(line)):
            moment = datetime.datetime.strptime(date[1], "%Y-%m-%d %H:%M:%S %z")
            earlier = moment - datetime.timedelta(days=30)
            cutoff = earlier.strftime("%Y-%m-%d %H:%M:%S")
            line = line.replace(date[1], earlier.strftime("%Y-%m-%d %H:%M:%S %z"))
        if line.startswith(" <Record "):
            created = CREATED.search(line)
            if created and created[1] >= cutoff:
                skipping = not line.rstrip().endswith("/>")
                continue
        out.write(ADDRESS.sub(other_address, line))


def other_address(found: re.Match[str]) -> str:
    return f"{found[1]}{int(found[2], 16) ^ 0x5A5A50:x}"


def write_earlier_zip(source: str, target: str) -> None:
    fast = zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
    with zipfile.ZipFile(source) as old, fast as new:
        for entry in old.infolist():
            # The size isn't known, and may exceed the 4 GB of a zip without 64-bit sizes.
            with old.open(entry) as read, new.open(entry.filename, "w", force_zip64=True) as write:
                if entry.filename.endswith("/export.xml"):
                    with io.TextIOWrapper(write, "utf-8", newline="") as out:
                        write_earlier(io.TextIOWrapper(read, "utf-8", newline=""), out)
                else:
                    shutil.copyfileobj(read, write)


def main(source: str, target: str) -> None:
    if zipfile.is_zipfile(source):
        return write_earlier_zip(source, target)
    with open(source, encoding="utf-8") as lines, open(target, "w", encoding="utf-8") as out:
        write_earlier(lines, out)


if __name__ == "__main__":
    main(*sys.argv[1:])
