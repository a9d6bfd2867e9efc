/** `svc completions SHELL`: a script that completes commands and flags, and values that the service knows. */

import { failureTable } from "@svc/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import * as Effect from "effect/Effect"
import { findTarget } from "../findTarget.ts"
import { knownNames } from "../knownNames.ts"
import { out } from "../Output.ts"
import { readProfiles } from "../profiles.ts"
import { type SubcommandGroup, svcTree } from "../tree.ts"
import { optionalWord, wordArgument } from "./flags.ts"

const shells = ["bash", "zsh", "fish", "powershell"] as const
const kinds = ["agents", "codes", "missions", "offers", "profiles"] as const

const after = (noun: string, verbs: string) => verbs.split(" ").map((verb) => `${noun} ${verb}`)

/** What the words before the cursor want to know, as patterns of shells; everything else is completed from the commands. */
const wanted: Readonly<Record<(typeof kinds)[number], ReadonlyArray<string>>> = {
  codes: ["explain"],
  profiles: ["auth switch", "*--profile"],
  missions: [
    ...after("mission", "get update pause resume complete delete rm stats"),
    ...["*--mission", "*--mission-id", "*--mission-handle"]
  ],
  agents: [...after("agent", "get update delete rm"), "*--agent-handle"],
  offers: [...after("offer", "get update publish delete rm check"), "*--offer-id"]
}

/** Where a shell takes patterns, only their star is not quoted. */
const quoted = (pattern: string): string => pattern.replace(/^(\*?)(.+)$/, '$1"$2"')

/** The part of a script for bash and zsh that sets `kind` by `before`. */
const cases = [
  `  case "$before" in`,
  ...kinds.map((kind) => `    ${wanted[kind].map(quoted).join(" | ")}) kind=${kind} ;;`),
  "  esac"
].join("\n")

const valuesIn = (shell: string, kind: string) => `svc completions ${shell} --values ${kind} 2>/dev/null`

const inBash = `
_svc_dynamic() {
  local before="\${COMP_WORDS[*]:1:COMP_CWORD-1}" cur="\${COMP_WORDS[COMP_CWORD]}" kind=""
${cases}
  if [[ -n "$kind" && "$cur" != -* ]]; then
    COMPREPLY=( $(compgen -W "$(${valuesIn("bash", '"$kind"')})" -- "$cur") )
  else
    _svc "$@"
  fi
}

complete -F _svc_dynamic svc`

const inZsh = `
_svc_dynamic() {
  local before="\${(j: :)words[2,CURRENT-1]}" kind=""
${cases}
  if [[ -n "$kind" && "$words[CURRENT]" != -* ]]; then
    compadd -- \${(f)"$(${valuesIn("zsh", '"$kind"')})"}
  else
    _svc "$@"
  fi
}

# Also from its file in $fpath, which zsh takes for the function _svc.
compdef _svc_dynamic svc
[[ "\${zsh_eval_context[-1]}" != "loadautofunc" ]] || _svc_dynamic "$@"`

/** Of a flag that takes a value, fish completes it only with what belongs to the flag. */
const fishLines = (kind: (typeof kinds)[number]): ReadonlyArray<string> => {
  const flags = wanted[kind].flatMap((pattern) => (pattern.startsWith("*--") ? [` -l ${pattern.slice(3)} -r`] : []))
  return ["", ...flags].map(
    (flag) => `complete -c svc -n '__svc_wants ${kind}'${flag} -f -a '(${valuesIn("fish", kind)})'`
  )
}

const inFish = `
function __svc_wants
  switch (string join ' ' -- (commandline -opc)[2..])
${kinds
  .map((kind) => `    case ${wanted[kind].map((pattern) => `'${pattern}'`).join(" ")}\n      test $argv[1] = ${kind}`)
  .join("\n")}
    case '*'
      return 1
  end
end
${kinds.flatMap(fishLines).join("\n")}
`

/** The script with the values that the service knows; of PowerShell, commands and flags only. */
const withValues = (shell: (typeof shells)[number], script: string): string => {
  switch (shell) {
    case "bash":
      return script.replace("complete -F _svc svc", () => inBash.trim())
    case "zsh":
      return script.replace(/if \[\[ "\$\{zsh_eval_context[\s\S]+?\nfi/, () => inZsh.trim())
    case "fish":
      return script.replace(/(?=###-end)/, () => `${inFish.trim()}\n`)
    case "powershell":
      return script
  }
}

/** Only words that mean nothing to a shell. */
const isSafe = (word: string): boolean => /^[\w.-]+$/.test(word)

/** The values; none where they cannot be read. */
const valuesOf = Effect.fnUntraced(
  function* (kind: (typeof kinds)[number]) {
    if (kind === "codes") return Object.keys(failureTable)
    if (kind === "profiles") return Object.keys((yield* readProfiles(process.env)).byName)
    return yield* knownNames(yield* findTarget(process.env, undefined), kind)
  },
  Effect.scoped,
  Effect.orElseSucceed((): ReadonlyArray<string> => [])
)

/** `svc completions`, for all subcommands. */
export const completionsOf = (load: () => Promise<ReadonlyArray<SubcommandGroup>>) =>
  Command.make(
    "completions",
    {
      shell: wordArgument("shell", shells).pipe(Argument.withDescription("Shell to generate the script for")),
      values: optionalWord("values", kinds, "Print these values instead, one per line, as the script asks for them")
    },
    ({ shell, values }) =>
      Effect.gen(function* () {
        if (values !== undefined) return yield* out((yield* valuesOf(values)).filter(isSafe).join("\n"))
        const tree = svcTree(yield* Effect.promise(load))
        const script = Completions.generate("svc", shell, Completions.fromCommand(tree))
          // The script names a flag that svc does not have.
          .replaceAll("svc --completions", "svc completions")
        yield* out(withValues(shell, script))
      })
  ).pipe(
    Command.withDescription(
      "Print a shell completion script. In bash, zsh and fish it also completes missions, agents, offers, profiles and error codes"
    ),
    Command.withShortDescription("Print a shell completion script"),
    Command.withExamples([
      { command: "source <(svc completions bash)", description: "In ~/.bashrc" },
      { command: "svc completions zsh > ~/.zfunc/_svc", description: "For zsh, with ~/.zfunc in $fpath" },
      { command: "svc completions fish > ~/.config/fish/completions/svc.fish", description: "For fish" }
    ])
  )
