# Prints what an interactive zsh offers for the command line $1, one word on each line. The zsh is
# set up by setup.zsh of the home folder.
zmodload zsh/zpty || exit
zpty shell zsh -f -i
zpty -w shell 'source ~/setup.zsh'
zpty -r -m shell printed '*<<ready>>*' || exit
zpty -n -w shell $1$'\t'
zpty -r -m shell printed '*<<end>>*' || exit
zpty -d shell
for line in ${(f)${printed//$'\r'/}}; do
  if [[ $line == *'<word '*'>' ]]; then
    print -r -- ${${line##*<word }%>}
  fi
done
