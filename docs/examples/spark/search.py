#!/usr/bin/env python3
"""Searches a database with Babson on Spark.

usage: search.py DATABASE OUTPUT SLICES [OPTIONS] QUERY...

The parts are written to the folder OUTPUT.parts. $BABSON names the program if it is not `babson`.
"""

import os, subprocess, sys
from pyspark import SparkConf, SparkContext

if len(sys.argv) < 5:
    sys.exit(__doc__)
database, output, slices, *query = sys.argv[1:]
babson = os.environ.get("BABSON", "babson")
folder = os.path.abspath(output + ".parts")
os.makedirs(folder, exist_ok=True)

plan = subprocess.run([babson, "plan", database, "--slices", slices], stdout=subprocess.PIPE)
if plan.returncode != 0: sys.exit(plan.returncode)
slices = list(enumerate(plan.stdout.decode().splitlines()))

def search(slices):
    """Searches the only slice of a partition, on a worker, and yields the name of its part."""
    for index, slice in slices:
        part = os.path.join(folder, f"{index}.part")
        scan = [babson, "scan", "--slice", slice, *query, "-o", part]
        subprocess.run(scan, stdout=subprocess.DEVNULL, check=True)
        yield part

conf = SparkConf().setAppName("babson").setIfMissing("spark.master", "local[*, 3]")
with SparkContext(conf=conf) as spark:
    parts = spark.parallelize(slices, len(slices)).mapPartitions(search).collect()
sys.exit(subprocess.run([babson, "merge", *parts, "-o", output]).returncode)
