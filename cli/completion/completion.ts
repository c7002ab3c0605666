// toolwright completion <shell>: a thin script for a shell, which asks `toolwright __complete` for what may come next.

type Shell = 'bash' | 'zsh' | 'fish' | 'powershell';

export function completion(shell: Shell): number {
  process.stdout.write(scripts[shell]);
  return 0;
}

const scripts: Readonly<Record<Shell, string>> = {
  bash: `# For ~/.bashrc: eval "$(toolwright completion bash)"
_toolwright_complete() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    [[ -n $line ]] && COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _toolwright_complete toolwright
`,
  zsh: `#compdef toolwright
# For ~/.zshrc, after compinit: eval "$(toolwright completion zsh)"
_toolwright() {
  local -a found
  local line
  for line in "\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then _describe toolwright found; else _files; fi
}
if [[ \${funcstack[1]} == _toolwright ]]; then _toolwright "$@"; else compdef _toolwright toolwright; fi
`,
  fish: `# For ~/.config/fish/config.fish: toolwright completion fish | source
function __toolwright_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l found ($words[1] __complete -- $words[2..-1] 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c toolwright -f -a '(__toolwright_complete)'
`,
  powershell: `# For $PROFILE: toolwright completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName toolwright -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $before = $commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition }
  $words = @($before | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '""' }
  $command = $commandAst.CommandElements[0].ToString()
  & $command __complete -- @words 2>$null | ForEach-Object {
    $value, $hint = $_ -split "\`t", 2
    if (-not $hint) { $hint = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $hint)
  }
}
`,
};
