# Before every script. $N is a number that nobody else can know; it sets what scripts report apart from what they move.

# say WORD...: a record for the agent.
say() {
    printf '\036%s %s\036' "$N" "$*"
}

# fail CODE CALL [-]: ends with an error; with "-" it does not name the path.
fail() {
    say fail "$@"
    exit 0
}

# special PATH: ends when PATH is neither a file nor a directory: such a file may block for ever.
special() {
    if [ -p "$1" ]; then say special a named pipe
    elif [ -S "$1" ]; then say special a socket
    else say special a device
    fi
    exit 0
}
