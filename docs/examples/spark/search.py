#!/usr/bin/env python3
"""Searches a database with Babson on Spark.

usage: search.py DATABASE OUTPUT SLICES [OPTIONS] QUERY...

The parts are written to the folder OUTPUT.parts. $BABSON names the program if it is not `babson`.
"""

import os, shlex, subprocess, sys
from pyspark import SparkConf, SparkContext

# A task reads its only line, INDEX<TAB>SLICE, and writes a part. It prints the name of the part.
TASK = r"""IFS="$(printf "\t")" read -r index slice || exit; babson=$0 parts=$1; shift
exec "$babson" scan --slice "$slice" "$@" -o "$parts/$index.part" """

if len(sys.argv) < 5:
    sys.exit(__doc__)
database, output, slices, *query = sys.argv[1:]
babson = os.environ.get("BABSON", "babson")
folder = os.path.abspath(output + ".parts")
os.makedirs(folder, exist_ok=True)

plan = subprocess.run([babson, "plan", database, "--slices", slices], stdout=subprocess.PIPE)
if plan.returncode != 0: sys.exit(plan.returncode)
tasks = [f"{index}\t{slice}" for index, slice in enumerate(plan.stdout.decode().splitlines())]
task = shlex.join(["sh", "-c", TASK, babson, folder, *query])
conf = SparkConf().setAppName("babson").setIfMissing("spark.master", "local[*, 3]")
with SparkContext(conf=conf) as spark:
    parts = spark.parallelize(tasks, len(tasks)).pipe(task, checkCode=True).collect()
sys.exit(subprocess.run([babson, "merge", *parts, "-o", output]).returncode)
