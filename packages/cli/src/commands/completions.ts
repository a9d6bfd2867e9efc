/** `svc completions SHELL`: a script that completes commands and flags. Source: contract 2. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import * as Effect from "effect/Effect"
import { out } from "../Output.ts"

const shells = ["bash", "zsh", "fish", "powershell"] as const

/** `svc completions`. */
export const completions = Command.make(
  "completions",
  { shell: Argument.Literals("shell", shells).pipe(Argument.withDescription("The shell it is for")) },
  ({ shell }) =>
    Effect.gen(function* () {
      const { svcTree } = yield* Effect.promise(() => import("../tree.ts"))
      const tree = yield* Effect.promise(() => svcTree([]))
      const script = Completions.generate("svc", shell, Completions.fromCommand(tree))
      // Its first lines name a flag that svc does not have.
      yield* out(script.replaceAll("svc --completions", "svc completions"))
    })
).pipe(
  Command.withDescription("Print a script that completes commands and flags in a shell"),
  Command.withExamples([
    { command: "source <(svc completions bash)", description: "In ~/.bashrc" },
    { command: "svc completions zsh > ~/.zfunc/_svc", description: "For zsh, with ~/.zfunc in $fpath" },
    { command: "svc completions fish > ~/.config/fish/completions/svc.fish", description: "For fish" }
  ])
)
