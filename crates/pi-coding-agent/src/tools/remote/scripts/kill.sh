# kill GROUP
kill -9 "-$1" 2>/dev/null
say ok
