/** `svc drafts review`. Source: issue "svc drafts review". */
import { spawn } from "node:child_process"
import { type Failure, fail } from "@svc/core/Failure"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Terminal from "effect/Terminal"
import { note } from "../Output.ts"
import { editInEditor, review } from "../review/reviewLoop.ts"
import { baseUrl } from "./flags.ts"
import { withTarget } from "./withTarget.ts"

const editor = (): string => process.env["VISUAL"] || process.env["EDITOR"] || "vi"

const openEditor = (file: string): Effect.Effect<void, Failure> =>
  Effect.callback<void, Failure>((resume) => {
    // The variable may hold words after the program, as in "code --wait".
    const [program = "vi", ...words] = editor().split(/\s+/)
    const child = spawn(program, [...words, file], { stdio: "inherit" })
    const refused = () => fail("INVALID_INPUT", "The editor could not be run. Set EDITOR to one that is installed.")
    child.once("error", () => resume(Effect.fail(refused())))
    child.once("close", (code) => resume(code === 0 ? Effect.void : Effect.fail(refused())))
  })

const reviewCommand = Command.make(
  "review",
  {
    mission: Flag.String("mission").pipe(
      Flag.withDescription("Only drafts of this mission, by handle or id"),
      Flag.optional
    ),
    baseUrl
  },
  ({ baseUrl: url, mission }) =>
    Effect.flatMap(Terminal.Terminal, (terminal) =>
      withTarget({ baseUrl: url, json: false }, (target) =>
        Effect.gen(function* () {
          if (!process.stdin.isTTY || !process.stdout.isTTY) {
            return yield* fail(
              "INVALID_INPUT",
              "svc drafts review needs a terminal. Elsewhere, use svc linkedin draft list and approve."
            )
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
  Command.withDescription("Review the drafts that wait, one by one: compare variations, edit, approve, cancel, undo"),
  Command.withExamples([
    { command: "svc drafts review --mission spring-outreach", description: "The drafts of one mission" }
  ])
)

/** `svc drafts`. */
export const drafts = Command.make("drafts").pipe(
  Command.withDescription("Drafts that wait for a person"),
  Command.withSubcommands([reviewCommand])
)
