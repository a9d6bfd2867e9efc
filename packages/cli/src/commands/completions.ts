/** `svc completions SHELL`: a script that completes commands and flags. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import * as Effect from "effect/Effect"
import { out } from "../Output.ts"
import type { SubcommandGroup } from "../Subcommand.ts"
import { svcTree } from "../tree.ts"

const shells = ["bash", "zsh", "fish", "powershell"] as const

/** `svc completions`, for all subcommands. */
export const completionsOf = (load: () => Promise<ReadonlyArray<SubcommandGroup>>) =>
  Command.make(
    "completions",
    { shell: Argument.Literals("shell", shells).pipe(Argument.withDescription("Shell to generate the script for")) },
    ({ shell }) =>
      Effect.gen(function* () {
        const tree = svcTree(yield* Effect.promise(load))
        const script = Completions.generate("svc", shell, Completions.fromCommand(tree))
        // The script names a flag that svc does not have.
        yield* out(script.replaceAll("svc --completions", "svc completions"))
      })
  ).pipe(
    Command.withDescription("Print a shell completion script"),
    Command.withExamples([
      { command: "source <(svc completions bash)", description: "In ~/.bashrc" },
      { command: "svc completions zsh > ~/.zfunc/_svc", description: "For zsh, with ~/.zfunc in $fpath" },
      { command: "svc completions fish > ~/.config/fish/completions/svc.fish", description: "For fish" }
    ])
  )
