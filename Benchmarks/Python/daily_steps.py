"""The timed query of DuckDB: the sum of the steps of each day, over all sources, without a merge.

    daily_steps.py FILE.duckdb
"""

import sys

import duckdb

database = duckdb.connect(sys.argv[1], read_only=True)
days = database.execute("SELECT day, sum(value) FROM step GROUP BY day ORDER BY day").fetchall()
sys.stdout.write("".join([f"{day},{amount}\n" for day, amount in days]))
