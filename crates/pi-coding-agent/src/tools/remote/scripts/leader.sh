# $0 COMMAND: leads the group; $0 is the shell for COMMAND. 3 is input from the agent, 5 the command's output.
IFS= read -r number
exec </dev/null
printf '\036%s group %s\036' "$number" "$$" >&5
# A group of another number is the one that the connection came with.
(IFS= read -r _ <&3; kill -9 "-$$" || kill -9 0) >/dev/null 2>&1 5>&- &
guard=$!
# In a subshell, so that its remark about a signal does not go where the command's errors go.
(exec "$0" -c "$1" >&5 2>&5 3<&- 5>&-)
echo "$?"
kill -9 "$guard"
wait "$guard"
