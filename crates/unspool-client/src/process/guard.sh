# Waits for its input to end, which only the host can write to: then the host is gone, however it went, and all that its
# program has started is ended. Its arguments are what that bears: words in the environment, and a limit; then a folder
# that was there for the program alone.
trap '' HUP INT QUIT TERM
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
read -r group
read -r _
[ -z "${3-}" ] || trap 'rm -rf -- "$3"' EXIT
if [ ! -d /proc/self ]; then
    [ -z "$group" ] || kill -s KILL -- "-$group"
    exit
fi
# What is killed may just have started something. A zombie keeps its limits until somebody asks how it ended.
round=0
while [ "$round" -lt 40 ]; do
    # Some greps stop at a zero byte, and some others do not know the flag for it.
    found=$(
        grep -lsz -e "$1" /proc/[0-9]*/environ
        grep -ls -e "$1" /proc/[0-9]*/environ
        grep -ls -e "^Max realtime timeout  *$2 " /proc/[0-9]*/limits
    )
    [ -n "$found" ] || exit
    for file in $found; do
        process=${file#/proc/}
        kill -s KILL "${process%/*}"
    done
    round=$((round + 1))
done
