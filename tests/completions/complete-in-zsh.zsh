# Completes a command line in an interactive zsh and prints what it has become.
# usage: zsh -f complete-in-zsh.zsh SCRIPT FOLDER LINE
zmodload zsh/zpty
script=$1 folder=$2 line=$3

wait_for() {
  for ((turn = 0; turn < 400; turn++)); do
    [[ -e $1 ]] && return
    # What the shell prints has to be read, or it would wait.
    zpty -r -t shell ignored
    sleep 0.05
  done
  print -u2 "zsh did not answer: $1"
  zpty -d shell
  exit 1
}

zpty -b shell zsh -f -i
zpty -w shell "cd ${(q)folder}; autoload -Uz compinit; compinit -u -d ../dump; source ${(q)script}"
zpty -w shell 'report() { print -r -- "$BUFFER" > ../line; : > ../done }; zle -N report; bindkey "^X" report; : > ../ready'
wait_for $folder/../ready
zpty -w -n shell "$line"$'\t'
zpty -w -n shell $'\x18'
wait_for $folder/../done
cat $folder/../line
zpty -d shell
