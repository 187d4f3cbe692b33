#!/usr/bin/env bash
# Runs Babson and its peers alternately (A B A B …) on one PGN file.
#
#   benches/peers/run.sh GAMES.pgn [ROUNDS]
#
# For each job it prints the medians of the CPU time, of the wall time and of the pairwise ratios, and compares the
# ratios with the bounds of benches/README.md. The exit code is 1 if a ratio is outside its bound, 2 for wrong usage.
#
# Needs bash 5; pgn-extract (a package of Debian) is optional. Builds the peers and, unless BABSON names a binary,
# `babson`. WORKLOADS=none skips the other workloads, TABLES=none the game table of the file, THREADS=none the comparison
# of two threads with one. SCOUTFISH names the program of this name, which the tables are compared with, if it is not in
# PATH. The targets of tables are printed, but do not decide the exit code: `cargo xtask bench-table` measures them.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
if [[ $# -lt 1 || ! -f $1 ]]; then
    echo "usage: $0 GAMES.pgn [ROUNDS]" >&2
    exit 2
fi
pgn=$(realpath "$1")
rounds=${2:-5}
PATH=$PATH:/usr/games # where Debian puts pgn-extract

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [[ -z ${BABSON:-} ]]; then
    (cd "$root" && cargo build --quiet --release -p babson-cli)
    BABSON=${CARGO_TARGET_DIR:-$root/target}/release/babson
fi
peers_target=${PEERS_TARGET_DIR:-$here/target}
(cd "$here" && CARGO_TARGET_DIR=$peers_target cargo build --quiet --release)
replay=$peers_target/release/replay

# Runs a command and leaves "USER+SYS WALL" in milliseconds in the variable `times`.
timed() {
    local TIMEFORMAT='%U %S %R'
    { time "$@" >"$scratch/stdout" 2>"$scratch/stderr"; } 2>"$scratch/time" || {
        echo "failed: $*" >&2
        tail -3 "$scratch/stderr" >&2
        exit 1
    }
    times=$(awk '{ printf "%.0f %.0f", ($1 + $2) * 1000, $3 * 1000 }' "$scratch/time")
}

median() { sort -n | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

# Jobs: name, then the command. `--noprogress` keeps the terminal out of the measurement.
babson() { "$BABSON" --noprogress --dialect cql6 "$@"; }
job_w01() { babson -s -i "$pgn" -o "$scratch/out.pgn" "$root/benches/workloads/W01-mate.cql"; }
job_replay() { "$replay" "$pgn"; }
job_replay-mate() { "$replay" --mate "$pgn"; }
job_pgn-extract() { pgn-extract --quiet --checkmate -s -o "$scratch/peer.pgn" "$pgn"; }
job_w01-t1() { babson --threads 1 -i "$pgn" -o "$scratch/out.pgn" "$root/benches/workloads/W01-mate.cql"; }
job_w01-t2() { babson --threads 2 -i "$pgn" -o "$scratch/out.pgn" "$root/benches/workloads/W01-mate.cql"; }
job_two-replays() {
    "$replay" "$pgn" &
    "$replay" "$pgn"
    wait $!
}
# The workloads with D are in CQLi's dialect, whose dictionaries they are about.
dialect() { case $1 in */D*) echo cqli ;; *) echo cql6 ;; esac; }
job_workload() { "$BABSON" --noprogress --dialect "$(dialect "$1")" -s -i "$pgn" -o "$scratch/out.pgn" "$1"; }

table=$scratch/games.arrow
scoutfish=${SCOUTFISH:-scoutfish}
job_pack() { "$BABSON" pack --noprogress --threads 1 "$pgn" -o "$scratch/again.arrow"; }
job_table() { "$BABSON" --noprogress --dialect "$(dialect "$1")" -s -i "$table" -o "$scratch/out.pgn" "$1"; }
job_pgn-Qh7() { babson -s -i "$pgn" -o "$scratch/out.pgn" --cql 'Qh7'; }
job_table-Qh7() { babson -s -i "$table" -o "$scratch/out.pgn" --cql 'Qh7'; }
job_table-three() { babson -s -i "$table" -o "$scratch/out.pgn" --cql 'pa6 Bb3 Nf3'; }
job_scoutfish-Qh7() { "$scoutfish" scout "$scratch/games.scout" '{ "sub-fen": "8/7Q/8/8/8/8/8/8" }'; }
job_scoutfish-three() { "$scoutfish" scout "$scratch/games.scout" '{ "sub-fen": "8/8/p7/8/8/1B3N2/8/8" }'; }

missed=0
# bound NAME RATIO OP LIMIT: prints the verdict.
bound() {
    if awk -v a="$2" -v b="$4" -v op="$3" 'BEGIN { exit !(op == "<=" ? a <= b : a >= b) }'; then
        printf '  bound held   %-40s %6.2f %s %s\n' "$1" "$2" "$3" "$4"
    else
        printf '  BOUND MISSED %-40s %6.2f %s %s\n' "$1" "$2" "$3" "$4"
        missed=1
    fi
}

# target NAME RATIO OP LIMIT: prints whether a target is met.
target() {
    local verdict=missed
    awk -v a="$2" -v b="$4" -v op="$3" 'BEGIN { exit !(op == "<=" ? a <= b : a >= b) }' && verdict=met
    printf '  target %-6s %-40s %6.2f %s %s\n' "$verdict" "$1" "$2" "$3" "$4"
}

# pair_up JOB…: the jobs in turn, $rounds rounds after one that warms the page cache; a line of medians a job.
# Afterwards cpu[JOB] and wall[JOB] hold the times of all rounds, one a line.
declare -A cpu wall
pair_up() {
    local job round name
    for job in "$@"; do
        cpu[$job]='' wall[$job]=''
        # shellcheck disable=SC2086 # a workload is a job with its file as argument
        timed job_${job/:/ }
    done
    for ((round = 0; round < rounds; round++)); do
        for job in "$@"; do
            # shellcheck disable=SC2086
            timed job_${job/:/ }
            cpu[$job]+="${times% *}"$'\n'
            wall[$job]+="${times#* }"$'\n'
        done
    done
    for job in "$@"; do
        name=$(basename "${job#*:}" .cql)
        [[ $job == table:* ]] && name+=' (table)'
        printf '%-28s %10s %10s\n' "$name" \
            "$(printf %s "${cpu[$job]}" | median)" "$(printf %s "${wall[$job]}" | median)"
    done
}

# ratio TIMES_A TIMES_B: the median of A/B, pair by pair.
ratio() { paste <(printf %s "$1") <(printf %s "$2") | awk '{ printf "%.4f\n", $1 / ($2 > 0 ? $2 : 1) }' | median; }

echo "file     $pgn ($(stat -c %s "$pgn") bytes)"
echo "machine  $(grep -m1 'model name' /proc/cpuinfo | sed 's/.*: //'), $(nproc) cores; load $(cut -d' ' -f1-3 /proc/loadavg)"
echo "rounds   $rounds, in turn, after one to warm up"
echo
printf '%-28s %10s %10s\n' "one thread, medians" "CPU ms" "wall ms"
peers=(w01 replay replay-mate)
if command -v pgn-extract >/dev/null; then
    peers+=(pgn-extract)
else
    echo "(no pgn-extract on this machine: apt-get install pgn-extract)"
fi
pair_up "${peers[@]}"
r=$(ratio "${cpu[w01]}" "${cpu[replay]}")
bound "W01 / replay, at most" "$r" '<=' 1.0
r=$(ratio "${cpu[w01]}" "${cpu[replay-mate]}")
printf '               %-40s %6.2f\n' "W01 / replay with mate test" "$r"
if [[ -n ${cpu[pgn-extract]:-} ]]; then
    r=$(ratio "${cpu[pgn-extract]}" "${cpu[w01]}")
    bound "pgn-extract --checkmate / W01, at least" "$r" '>=' 7
fi
if [[ -x /usr/bin/time ]]; then
    peak=$(/usr/bin/time -f %M "$BABSON" --noprogress -s -i "$pgn" -o "$scratch/out.pgn" "$root/benches/workloads/W01-mate.cql" 2>&1 >/dev/null | tail -1)
    size=$(($(stat -c %s "$pgn") / 1024))
    bound "MB beyond the mapped file, at most" "$(awk -v p="$peak" -v s="$size" 'BEGIN { m = (p - s) / 1024; print m < 0 ? 0 : m }')" '<=' 100
fi

if [[ ${WORKLOADS:-all} != none ]]; then
    echo
    printf '%-28s %10s %10s\n' "workloads" "CPU ms" "wall ms"
    jobs=(w01)
    for file in "$root"/benches/workloads/{W,D}*.cql; do
        case $file in
            */W01-*) continue ;;
        esac
        # What does not compile is named and left out.
        if "$BABSON" check --dialect "$(dialect "$file")" "$file" >/dev/null 2>"$scratch/check"; then
            jobs+=("workload:$file")
        else
            echo "(left out: $(basename "$file"): $(grep -m1 -i 'not supported' "$scratch/check" || tail -1 "$scratch/check"))"
        fi
    done
    pair_up "${jobs[@]}"
    for job in "${jobs[@]:1}"; do
        limit=2
        [[ $job == */W10-* ]] && limit=4
        bound "$(basename "${job#*:}" .cql) / W01, at most" "$(ratio "${cpu[$job]}" "${cpu[w01]}")" '<=' "$limit"
    done
fi

if [[ ${TABLES:-yes} != none ]]; then
    echo
    printf '%-28s %10s %10s\n' "game table" "CPU ms" "wall ms"
    "$BABSON" pack --noprogress "$pgn" -o "$table" >/dev/null
    mate=$root/benches/workloads/W01-mate.cql
    tags=$root/benches/workloads/W13-tags.cql
    jobs=(w01 "table:$mate" "workload:$tags" "table:$tags" pgn-Qh7 table-Qh7 table-three pack)
    if command -v "$scoutfish" >/dev/null; then
        # Its index lies beside the PGN file.
        ln -s "$pgn" "$scratch/games.pgn"
        "$scoutfish" make "$scratch/games.pgn" >/dev/null
        jobs+=(scoutfish-Qh7 scoutfish-three)
    else
        echo "(no scoutfish on this machine: SCOUTFISH=PROGRAM names one that is built)"
    fi
    pair_up "${jobs[@]}"
    target "W01, PGN / table, at least" "$(ratio "${cpu[w01]}" "${cpu[table:$mate]}")" '>=' 100
    target "W13, PGN / table, at least" "$(ratio "${cpu[workload:$tags]}" "${cpu[table:$tags]}")" '>=' 40
    target "Qh7, PGN / table, at least" "$(ratio "${cpu[pgn-Qh7]}" "${cpu[table-Qh7]}")" '>=' 100
    target "packing / W01, at most" "$(ratio "${cpu[pack]}" "${cpu[w01]}")" '<=' 3
    sizes=$(awk -v t="$(stat -c %s "$table")" -v p="$(stat -c %s "$pgn")" 'BEGIN { print t / p }')
    target "size of the table / PGN, at most" "$sizes" '<=' 0.9
    if [[ -n ${cpu[scoutfish-three]:-} ]]; then
        r=$(ratio "${cpu[scoutfish-Qh7]}" "${cpu[table-Qh7]}")
        printf '                %-40s %6.2f\n' "scoutfish / table, Qh7" "$r"
        r=$(ratio "${cpu[scoutfish-three]}" "${cpu[table-three]}")
        target "scoutfish / table, pa6 Bb3 Nf3, at least" "$r" '>=' 30
    fi
fi

if [[ ${THREADS:-yes} != none && $(nproc) -ge 2 ]]; then
    echo
    printf '%-28s %10s %10s\n' "threads" "CPU ms" "wall ms"
    pair_up w01-t1 w01-t2 replay two-replays
    # The control: how much more two processes, which share nothing, get done here than one. Where the machine does
    # not give us two cores, the ratio of the threads says nothing about Babson, for or against.
    control=$(ratio "${wall[replay]}" "${wall[two-replays]}" | awk '{ print 2 * $1 }')
    threads=$(ratio "${wall[w01-t1]}" "${wall[w01-t2]}")
    printf '               %-40s %6.2f\n' "control: two processes / one, throughput" "$control"
    if awk -v c="$control" 'BEGIN { exit !(c >= 1.8) }'; then
        bound "wall of one thread / of two, at least" "$threads" '>=' 1.8
    else
        printf '  NOT JUDGED   %-40s %6.2f (the control is below 1.8)\n' "wall of one thread / of two" "$threads"
    fi
fi
exit "$missed"
