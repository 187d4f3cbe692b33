# Sets up a zsh that prints what it offers, instead of inserting it.
PROMPT= RPROMPT=
unsetopt beep prompt_cr prompt_sp
fpath=($PWD $fpath)
autoload -Uz compinit
compinit -D -u
zstyle ':completion:*' completer _complete
compadd() {
  # With these options it adds nothing.
  if (( ${@[(I)-[OAD]*]} )); then
    builtin compadd "$@"
    return
  fi
  local -a offered
  builtin compadd -O offered "$@"
  (( $#offered )) && print -rl -- '' '<word '${^offered}'>'
  builtin compadd "$@"
}
finish() { print -r -- '<<end>>' }
comppostfuncs=(finish)
bindkey '^I' list-choices
# In two pieces: this line may be echoed before it runs.
print -r -- '<<''ready>>'
