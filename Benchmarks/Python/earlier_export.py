"""Writes an export as it was a month earlier: without the records created in its last 30 days, and
with other memory addresses of devices, which differ in every export.

    earlier_export.py export.xml earlier.xml

Knows the form of our simulator's files: one element starts on each line.
"""

import datetime
import re
import sys

DATE = re.compile(r'<ExportDate value="([^"]+)"')
ADDRESS = re.compile(r"(HKDevice: 0x)([0-9a-f]+)")
CREATED = re.compile(r'creationDate="(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)')


def main(source, target):
    cutoff = None
    skipping = False
    with open(source, encoding="utf-8") as lines, open(target, "w", encoding="utf-8") as out:
        for line in lines:
            if skipping:
                skipping = "</Record>" not in line
                continue
            if date := DATE.search(line):
                moment = datetime.datetime.strptime(date[1], "%Y-%m-%d %H:%M:%S %z")
                earlier = moment - datetime.timedelta(days=30)
                cutoff = earlier.strftime("%Y-%m-%d %H:%M:%S")
                line = line.replace(date[1], earlier.strftime("%Y-%m-%d %H:%M:%S %z"))
            created = CREATED.search(line)
            if line.startswith(" <Record ") and created and created[1] >= cutoff:
                skipping = not line.rstrip().endswith("/>")
                continue
            out.write(ADDRESS.sub(other_address, line))


def other_address(found):
    return f"{found[1]}{int(found[2], 16) ^ 0x5A5A50:x}"


main(*sys.argv[1:])
