# run DIRECTORY COMMAND SHELL LEADER: runs COMMAND in a process group of its own. Standard input carries nothing: its end
# means that nobody wants the command any more.
cd -P "$1" 2>/dev/null || { say no directory && exit 0; }
if [ -n "$3" ]; then
    shell=$3
    command -v "$shell" >/dev/null || { say no shell && exit 0; }
else
    shell=$(command -v bash) || shell=sh
fi
# At level 1 under an SSH server bash would read its start-up file once more for each command.
[ "${SHLVL:-0}" -ge 1 ] 2>/dev/null || SHLVL=1
export SHLVL
# Of all shells bash tells most reliably that a command was killed.
inner=$(command -v bash) || inner=sh
exec 3<&0 </dev/null

# own_groups: whether this shell can start a process group although there is no terminal.
own_groups() {
    (set -m && case $- in *m*) ;; *) exit 1 ;; esac) 2>/dev/null
}

# lead COMMAND: runs the leader. Its standard error is not the command's: the shell says there what killed it. It reads the
# number from its input, because other users can see arguments.
lead() {
    if command -v setsid >/dev/null; then
        exec setsid "$inner" -c "$leader" "$shell" "$1" 2>&1 3<&3 5>&5 <<NUMBER
$N
NUMBER
    elif own_groups; then
        set -m
        "$inner" -c "$leader" "$shell" "$1" 2>&1 3<&3 5>&5 <<NUMBER &
$N
NUMBER
        wait "$!"
    else
        # The group is the one that this script was given.
        "$inner" -c "$leader" "$shell" "$1" 2>&1 3<&3 5>&5 <<NUMBER
$N
NUMBER
    fi
}

leader=$4
{
    exec 5>&1
    ended=$(lead "$2")
    say ended "$?" "$ended"
} | {
    # Jobs in the background outlive the call, and the connection: who takes what they write must, too.
    trap '' HUP PIPE
    exec 3<&-
    cat 2>/dev/null
    exec cat >/dev/null 2>&1
}
