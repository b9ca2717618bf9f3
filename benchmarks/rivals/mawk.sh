#!/bin/sh
# Word counts with mawk, for word-count and sort. Words are runs of letters, digits and bytes above ASCII.
set -eu
export LC_ALL=C
if [ "$1" = --version ]; then
  mawk -W version 2>&1 | head -n 1
  exit
fi
count='BEGIN { RS = "[^0-9A-Za-z\200-\377]+" } $0 != "" { n[$0]++ } END { for (w in n) print w "\t" n[w] }'
case $1 in
  word-count) order='-t	 -k2,2nr -k1,1' ;;
  sort) order='-t	 -k1,1' ;;
  *) echo "mawk.sh does not answer $1" >&2; exit 1 ;;
esac
# The order is several words on purpose; a tab is no separator of words here.
IFS=' '
find "$2" -type f -print0 | xargs -0 cat | mawk "$count" | sort $order > "$3"
