# files PATH: every file at or below PATH, ended by NUL.
find -H "$1" -type f -exec printf '%s\000' {} + 2>/dev/null
say ok
