# celld reads AWS_* variables and never a credentials file, so this reads the [default] profile of the
# file in $1, exports it, and becomes the command that follows. Only builtins: nothing is written or printed.
set -eu
file=$1
shift
first_word() {
  word=${1#"${1%%[![:space:]]*}"}
  word=${word%%[[:space:]]*}
}
section='' id='' secret='' token=''
while IFS= read -r line || [ -n "$line" ]; do
  first_word "$line"
  case $word in
    '['*)
      line=${line#*[}
      first_word "${line%%]*}"
      section=$word
      ;;
    *=* | aws_*)
      first_word "${line%%=*}"
      key=$word
      first_word "${line#*=}"
      case $section/$key in
        default/aws_access_key_id) id=$word ;;
        default/aws_secret_access_key) secret=$word ;;
        default/aws_session_token) token=$word ;;
      esac
      ;;
  esac
done <"$file"
if [ -z "$id" ] || [ -z "$secret" ]; then
  echo "error: $file needs aws_access_key_id and aws_secret_access_key under [default]" >&2
  exit 1
fi
export AWS_ACCESS_KEY_ID="$id" AWS_SECRET_ACCESS_KEY="$secret"
if [ -n "$token" ]; then
  export AWS_SESSION_TOKEN="$token"
fi
exec "$@"
