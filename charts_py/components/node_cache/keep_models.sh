# Usage: keep_models.sh FOLDER READY DOWNLOADER [NAME SOURCE BYTES]...
# Keep each model whole in FOLDER/NAME, as `DOWNLOADER SOURCE FOLDER` brings it, and no other one.
# What is being downloaded lies in a folder beside, whose name begins with a dot, until it is all
# there. READY is a file that says that all of them are.
folder=$1
ready=$2
downloader=$3
shift 3
umask 022
child=

# The shell is the first process of its container, which no signal ends by itself.
stop() {
  [ -z "$child" ] || kill -TERM "-$child" 2>/dev/null
  exit 0
}
trap stop TERM INT

is_listed() {
  found=$1
  shift
  while [ $# -gt 0 ]; do
    [ "$1" = "$found" ] && return
    shift 3
  done
  return 1
}

# Of a model that goes, the folder goes first, at once, so that nobody reads half of it.
remove_others() {
  rm -rf "$folder"/.[!.]*.part
  for path in "$folder"/*; do
    name=${path##*/}
    [ -d "$path" ] && ! is_listed "$name" "$@" || continue
    echo "removes $name"
    mv -T "$path" "$folder/.$name.part" && rm -rf "$folder/.$name.part" "$folder/.$name.source"
  done
}

kilobytes_in() {
  du -sk "$1" 2>/dev/null | { read -r size _ && echo "${size:-0}"; }
}

free_kilobytes() {
  df -Pk "$folder" | { read -r _ && read -r _ _ _ free _ && echo "$free"; }
}

# Download what is at most KILOBYTES large: a disk that is full would evict the pods of its node.
download() {
  # In a group of its own: it downloads several files at once by processes that would go on.
  setsid "$downloader" "$1" "$2" &
  child=$!
  while kill -0 "$child" 2>/dev/null; do
    if [ "$(kilobytes_in "$2")" -gt "$3" ]; then
      echo "$1 is larger than its size in the cluster file"
      kill -TERM "-$child"
      break
    fi
    sleep 5
  done
  wait "$child"
  ended=$?
  child=
  [ "$ended" -eq 0 ] && [ "$(kilobytes_in "$2")" -le "$3" ]
}

keep() {
  part=$folder/.$1.part
  limit=$(($3 / 1024))
  if [ -d "$folder/$1" ]; then
    [ "$(cat "$folder/.$1.source")" = "$2" ] && return
    echo "$1 is here from another source: give what $2 has another name"
    return 1
  fi
  rm -rf "$part"
  if [ "$(free_kilobytes)" -lt "$limit" ]; then
    echo "$1 needs $limit KiB, and the disk has $(free_kilobytes) left"
    return 1
  fi
  echo "downloads $1 from $2"
  mkdir "$part" && download "$2" "$part" "$limit" && rm -rf "$part/.cache" &&
    chmod -R a+rX,go-w "$part" && sync -f "$part" && echo "$2" >"$folder/.$1.source" &&
    mv -T "$part" "$folder/$1" && echo "keeps $1" && return
  echo "$1 could not be downloaded"
  rm -rf "$part"
  return 1
}

keep_all() {
  code=0
  while [ $# -gt 0 ]; do
    keep "$1" "$2" "$3" || code=1
    shift 3
  done
  return $code
}

rm -f "$ready"
remove_others "$@"
until keep_all "$@"; do
  sleep 60 &
  wait $!
done
touch "$ready"
while :; do
  sleep 3600 &
  wait $!
done
