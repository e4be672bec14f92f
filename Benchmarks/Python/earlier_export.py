"""Writes an export as it was a month earlier: without the records created in its last 30 days.

    earlier_export.py export.xml earlier.xml

Knows the form of our simulator's files: one element starts on each line.
"""

import datetime
import re
import sys

DATE = re.compile(r'<ExportDate value="([^"]+)"')
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
            out.write(line)


main(*sys.argv[1:])
