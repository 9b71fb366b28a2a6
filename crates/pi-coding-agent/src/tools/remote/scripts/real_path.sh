# real_path PATH
resolve "$1"
case $? in
    1) fail ELOOP realpath ;;
    2) fail EACCES realpath ;;
esac
printf %s "$R"
say ok
