/** `svc completions SHELL`: a script that completes commands and flags, and in bash the values that the service knows. */
import { failureTable } from "@svc/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { commandRequest } from "../commandRequest.ts"
import { findTarget } from "../findTarget.ts"
import { out } from "../Output.ts"
import { readProfiles } from "../profiles.ts"
import type { SubcommandGroup } from "../Subcommand.ts"
import { dataOf, objectsOf } from "../Target.ts"
import { svcTree } from "../tree.ts"

const shells = ["bash", "zsh", "fish", "powershell"] as const
const kinds = ["agents", "codes", "missions", "offers", "profiles"] as const

const afterNoun = (noun: string, verbs: string): string =>
  verbs
    .split(" ")
    .map((verb) => `"${noun} ${verb}"`)
    .join(" | ")

/** What the words before the cursor want to know; everything else is completed from the commands. */
const dynamicBash = `
_svc_dynamic() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" kind=""
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1}" in
    explain) kind=codes ;;
    "auth switch" | *--profile) kind=profiles ;;
    report | ${afterNoun("mission", "get update pause resume complete delete rm stats")} | *--mission | *--mission-id | *--mission-handle) kind=missions ;;
    ${afterNoun("agent", "get update delete rm")} | *--agent-handle) kind=agents ;;
    ${afterNoun("offer", "get update publish delete rm check")} | *--offer-id) kind=offers ;;
  esac
  if [[ -n "$kind" && "$cur" != -* ]]; then
    COMPREPLY=( $(compgen -W "$(svc completions bash --values "$kind" 2>/dev/null)" -- "$cur") )
  else
    _svc "$@"
  fi
}
`

/** Only words that mean nothing to a shell. */
const isSafe = (word: unknown): word is string => typeof word === "string" && /^[\w.-]+$/.test(word)

/** Reads values from the service; none if it cannot be reached, or the key may not read them. */
const read = (path: string, list: string, field: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const target = yield* findTarget(process.env, undefined)
      const request = path.startsWith("/") ? { method: "GET" as const, path } : commandRequest(path, '{"limit":100}')
      return objectsOf(dataOf(yield* target.send(request))[list]).map((row) => row[field])
    })
  ).pipe(Effect.orElseSucceed((): ReadonlyArray<unknown> => []))

const valuesOf = (kind: (typeof kinds)[number]): Effect.Effect<ReadonlyArray<unknown>> => {
  switch (kind) {
    case "codes":
      return Effect.succeed(Object.keys(failureTable))
    case "profiles":
      return readProfiles(process.env).pipe(
        Effect.map(({ byName }) => Object.keys(byName)),
        Effect.orElseSucceed(() => [])
      )
    case "missions":
      return read("/api/v1/missions?limit=100", "missions", "handle")
    case "agents":
      return read("agent.list", "agents", "handle")
    case "offers":
      return read("offer.list", "offers", "id")
  }
}

/** `svc completions`, for all subcommands. */
export const completionsOf = (load: () => Promise<ReadonlyArray<SubcommandGroup>>) =>
  Command.make(
    "completions",
    {
      shell: Argument.Literals("shell", shells).pipe(Argument.withDescription("Shell to generate the script for")),
      values: Flag.Literals("values", kinds).pipe(
        Flag.withDescription("Print these values instead, one per line, as the script asks for them"),
        Flag.optional
      )
    },
    ({ shell, values }) =>
      Effect.gen(function* () {
        if (Option.isSome(values)) return yield* out((yield* valuesOf(values.value)).filter(isSafe).join("\n"))
        const tree = svcTree(yield* Effect.promise(load))
        const script = Completions.generate("svc", shell, Completions.fromCommand(tree))
          // The script names a flag that svc does not have.
          .replaceAll("svc --completions", "svc completions")
        yield* out(
          shell === "bash"
            ? script.replace("complete -F _svc svc", `${dynamicBash.trim()}\n\ncomplete -F _svc_dynamic svc`)
            : script
        )
      })
  ).pipe(
    Command.withDescription(
      "Print a shell completion script. In bash it also completes missions, agents, offers, profiles and error codes"
    ),
    Command.withShortDescription("Print a shell completion script"),
    Command.withExamples([
      { command: "source <(svc completions bash)", description: "In ~/.bashrc" },
      { command: "svc completions zsh > ~/.zfunc/_svc", description: "For zsh, with ~/.zfunc in $fpath" },
      { command: "svc completions fish > ~/.config/fish/completions/svc.fish", description: "For fish" }
    ])
  )
