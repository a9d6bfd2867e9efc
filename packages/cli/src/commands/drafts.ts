/** `svc drafts review`. */
import { spawn } from "node:child_process"
import { type Failure, InvalidInput } from "@svc/core"
import * as Command from "effect/cli/Command"
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Terminal from "effect/Terminal"
import { note } from "../Output.ts"
import { editInEditor, review } from "../review/reviewLoop.ts"
import { baseUrl, optionalText } from "./flags.ts"
import { withTarget } from "./withTarget.ts"

const editor = (): string => process.env["VISUAL"] || process.env["EDITOR"] || "vi"

const openEditor = (file: string): Effect.Effect<void, Failure> =>
  Effect.callback<void, Failure>((resume) => {
    // The variable may hold words after the program, as in "code --wait".
    const [program = "vi", ...words] = editor().split(/\s+/)
    const child = spawn(program, [...words, file], { stdio: "inherit" })
    const refused = () => new InvalidInput({ message: "Can't start the editor. Set EDITOR to an installed one." })
    child.once("error", () => resume(Effect.fail(refused())))
    child.once("close", (code) => resume(code === 0 ? Effect.void : Effect.fail(refused())))
  })

const reviewCommand = Command.make(
  "review",
  {
    mission: optionalText("mission", "Only drafts of this mission, by handle or id"),
    baseUrl
  },
  ({ baseUrl: url, mission }) =>
    Effect.flatMap(Terminal.Terminal, (terminal) =>
      withTarget({ baseUrl: url, json: false }, (target) =>
        Effect.gen(function* () {
          if (!process.stdin.isTTY || !process.stdout.isTTY) {
            return yield* new InvalidInput({
              message:
                "svc drafts review needs a terminal. Otherwise use svc linkedin draft list and svc linkedin draft approve."
            })
          }
          const color = TerminalCapabilities.defaultValue().canColor
          const decisions = yield* Effect.provideService(
            review(target, Option.getOrUndefined(mission), editInEditor(openEditor), color),
            Terminal.Terminal,
            terminal
          )
          const count = (kind: string) => decisions.filter((decision) => decision.kind === kind).length
          yield* note(`svc: ${count("approved")} approved, ${count("cancelled")} cancelled.`)
        })
      )
    )
).pipe(
  Command.withDescription("Review pending drafts one by one: compare variations, edit, approve, cancel, undo"),
  Command.withExamples([
    { command: "svc drafts review --mission spring-outreach", description: "The drafts of one mission" }
  ])
)

/** `svc drafts`. */
export const drafts = Command.make("drafts").pipe(
  Command.withDescription("Review drafts"),
  Command.withSubcommands([reviewCommand])
)
