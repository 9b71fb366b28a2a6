#!/usr/bin/env bash
# The headless client of the Agent Client Protocol with `pi acp`: acpx.sh ACPX PROGRAM. An answer, and a tool call.
set -uo pipefail
cd "$CLIENT_CWD" || exit 1
said=$("$1" --agent "$2 acp" --approve-all exec hello 2>&1) && [[ $said == *"first answer"*"[done] end_turn"* ]] || { echo "$said"; exit 1; }
said=$("$1" --agent "$2 acp" --approve-all exec "use a tool" 2>&1) && [[ $said == *from-tool*"tool done"*"[done] end_turn"* ]] || { echo "$said"; exit 1; }
