/** `svc drafts review`. */

import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Failure, InvalidInput } from "@svc/core"
import * as Command from "effect/cli/Command"
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import * as Terminal from "effect/Terminal"
import { targetWithFlags } from "../cliTerms.ts"
import { invalid, note, out } from "../Output.ts"
import { type Choice, type ReviewItem, review, shownItem } from "../review/reviewLoop.ts"
import { noteWait, patientTarget } from "../Target.ts"
import { baseUrl, optionalText } from "./flags.ts"
import { withTarget } from "./runCommand.ts"

const openEditor = Effect.fnUntraced(function* (file: string) {
  // The variable may hold words after the program, as in "code --wait".
  const [program = "vi", ...words] = (process.env["VISUAL"] || process.env["EDITOR"] || "vi").split(/\s+/)
  const ended = Effect.tryPromise(() => once(spawn(program, [...words, file], { stdio: "inherit" }), "close"))
  const [code] = yield* Effect.orElseSucceed(ended, () => [undefined])
  if (code === 0) return
  return yield* new InvalidInput({ message: "Can't start the editor. Set EDITOR to an installed one." })
})

/** Opens a text in the person's editor, in a private file. */
const edit = Effect.fnUntraced(function* (text: string) {
  const folder = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "svc-draft-")))
  const file = join(folder, "message.txt")
  return yield* Effect.promise(() => writeFile(file, `${text}\n`, { mode: 0o600 })).pipe(
    Effect.andThen(openEditor(file)),
    Effect.andThen(Effect.promise(() => readFile(file, "utf8"))),
    // Only the line break that the editor ends a file with is not part of the text.
    Effect.map((read) => read.replace(/\r?\n$/, "")),
    Effect.ensuring(Effect.promise(() => rm(folder, { recursive: true, force: true })))
  )
})

/** Discards what was typed before the item was on the screen, and in the 0.3 seconds after it. */
export const ignoreTypedAhead = Effect.scoped(
  Effect.gen(function* () {
    yield* (yield* Terminal.Terminal).readInput
    yield* Effect.sleep("300 millis")
  })
)

/** Skip is first, so that Enter alone never decides. */
const choices = ({ kind, texts }: ReviewItem): ReadonlyArray<{ readonly title: string; readonly value: Choice }> => {
  const each = (tag: "Approve" | "Edit") =>
    texts.map((_, text) => ({
      title: texts.length > 1 ? `${tag} text ${text + 1}` : tag,
      value: { _tag: tag, text }
    }))
  return [
    { title: "Skip", value: { _tag: "Skip" } },
    ...each("Approve"),
    ...(kind === "message" ? each("Edit") : []),
    { title: "Reject", value: { _tag: "Reject" } },
    { title: "Quit", value: { _tag: "Quit" } }
  ]
}

const reviewCommand = Command.make(
  "review",
  { mission: optionalText("mission", "Only what belongs to this mission, by handle or id"), baseUrl },
  ({ baseUrl, mission }) =>
    withTarget({ baseUrl }, function* (found) {
      if (!process.stdin.isTTY || !process.stdout.isTTY) {
        return yield* invalid(
          "svc drafts review needs a terminal. Otherwise use svc linkedin draft list and svc linkedin draft approve."
        )
      }
      const target = patientTarget(found, noteWait)
      const named = targetWithFlags(target, [{ name: "mission_id", flag: "mission" }])
      const { approved, rejected } = yield* review<Failure | Terminal.QuitError, Prompt.Environment>(named, mission, {
        say: note,
        choose: (item, place) =>
          out(shownItem(item, place, process.stdout.columns || 80)).pipe(
            Effect.andThen(ignoreTypedAhead),
            Effect.andThen(Prompt.run(Prompt.Select({ message: "Decide", choices: choices(item) })))
          ),
        askReason: Prompt.run(Prompt.String({ message: "Reason (optional)" })),
        edit
      })
      yield* note(`svc: ${approved} approved, ${rejected} rejected. svc open reviews in the browser.`)
    })
).pipe(
  Command.withDescription(
    "Review drafts, emails and approval requests one by one: approve, reject, edit in $EDITOR or skip. The page that svc open shows can do more"
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
