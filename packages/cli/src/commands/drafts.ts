/** `svc drafts review`. */
import { spawn } from "node:child_process"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import { type Failure, InvalidInput } from "@svc/core"
import * as Command from "effect/cli/Command"
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Terminal from "effect/Terminal"
import { targetWithFlags } from "../cliTerms.ts"
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

const setScreen = (sequence: string) => Effect.sync(() => void process.stdout.write(sequence))

/** The keyboard, in which only Ctrl-C and Ctrl-D quit, and a screen beside the one with the command line. */
const onOwnScreen = Effect.gen(function* () {
  yield* Effect.acquireRelease(setScreen("\u001b[?1049h"), () => setScreen("\u001b[?1049l"))
  return yield* NodeTerminal.make(({ key }) => key.ctrl && (key.name === "c" || key.name === "d"))
})

const reviewCommand = Command.make(
  "review",
  {
    mission: optionalText("mission", "Only what belongs to this mission, by handle or id"),
    baseUrl
  },
  ({ baseUrl: url, mission }) =>
    withTarget({ baseUrl: url, json: false }, (target) =>
      Effect.gen(function* () {
        if (!process.stdin.isTTY || !process.stdout.isTTY) {
          return yield* new InvalidInput({
            message:
              "svc drafts review needs a terminal. Otherwise use svc linkedin draft list and svc linkedin draft approve."
          })
        }
        const color = TerminalCapabilities.defaultValue().canColor
        const decisions = yield* review(
          targetWithFlags(target, [{ name: "mission_id", flag: "mission" }]),
          Option.getOrUndefined(mission),
          editInEditor(openEditor),
          color
        ).pipe(Effect.provideServiceEffect(Terminal.Terminal, onOwnScreen), Effect.scoped)
        const counts = new Map<string, number>()
        for (const { kind } of decisions) counts.set(kind, (counts.get(kind) ?? 0) + 1)
        const told = [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ")
        yield* note(`svc: ${told === "" ? "nothing decided" : told}.`)
      })
    )
).pipe(
  Command.withDescription(
    "Review drafts, emails and approval requests one by one: compare variations, edit, approve, send, reject, ask for a rewrite, snooze, undo; press ? for the keys"
  ),
  Command.withShortDescription("Review drafts, emails and approval requests one by one"),
  Command.withExamples([
    { command: "svc drafts review --mission spring-outreach", description: "The drafts of one mission" }
  ])
)

/** `svc drafts`. */
export const drafts = Command.make("drafts").pipe(
  Command.withDescription("Review drafts"),
  Command.withSubcommands([reviewCommand])
)
