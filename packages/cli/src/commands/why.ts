/** `svc why`: what waits, until when and why, who can change it, and the command that does. */

import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { targetWithFlags } from "../cliTerms.ts"
import { type Json, out } from "../Output.ts"
import { dataOf, objectsOf, orFail, sendCommand } from "../Target.ts"
import { cellOf, outPaged, paint, renderTable, stdoutSurface } from "../table.ts"
import { wrapWords } from "../usageText.ts"
import { sentenceOf } from "../view/columns.ts"
import { baseUrl, json } from "./flags.ts"
import { commandLine } from "./generated.ts"
import { printReply, withTarget } from "./runCommand.ts"

/** What waits, with its sentence in the zone of the terminal and the command to paste. */
const readable = (wait: Json): Json => ({
  ...wait,
  summary: sentenceOf(wait["summary"], wait["until"]),
  command: typeof wait["command"] === "string" ? commandLine(wait["command"], Object(wait["input"])) : ""
})

/** A title with the state of a mission, the sentence, who can change it, and the command. */
const blockOf = ({ command, item_id, items, kind, name, state, summary, who }: Json, width: number): string => {
  const waiting = items === 0 ? [] : [`${items} waiting`]
  const parts = kind === "mission" ? [name, String(state).toLowerCase(), ...waiting] : [name, kind, item_id]
  const title = cellOf(parts.filter((part) => part !== null).join(", "))
  const change = items === 0 && command === "" ? [] : [`Who can change it: ${who}`]
  const texts = [summary, ...change].flatMap((text) => wrapWords(cellOf(text), width - 2))
  const lines = [...texts, ...(command === "" ? [] : [command])].map((line) => `  ${line}`)
  return [paint(1, title, stdoutSurface()), ...lines].join("\n")
}

const columns = ["name", "kind", "item_id", "items", "reason", "until", "summary", "who", "command"]

const print = (waits: ReadonlyArray<Json>) => {
  const surface = stdoutSurface()
  const { width } = surface
  if (width !== undefined) return outPaged(waits.map((wait) => blockOf(wait, width)).join("\n\n"))
  const rows = waits.map((wait) => columns.map((column) => wait[column]))
  return out(renderTable(columns, rows, surface))
}

/** `svc why`. */
export const why = Command.make(
  "why",
  {
    about: Argument.String("person|draft|mission").pipe(
      Argument.withDescription(
        "Lead id, email, LinkedIn URL or name; id of a draft, queue item, email or request; mission id or handle"
      )
    ),
    baseUrl,
    json
  },
  ({ about, ...common }) =>
    withTarget(common, function* (target) {
      const reply = yield* orFail(sendCommand(targetWithFlags(target, [], about), "review.explain", { about }))
      if (common.json) return yield* printReply(reply, true)
      yield* print(objectsOf(dataOf(reply)["waits"]).map(readable))
    })
).pipe(
  Command.withDescription("Explain why something waits: until when, who can change it, and the command that does"),
  Command.withShortDescription("Explain why something waits"),
  Command.withExamples([
    { command: "svc why grace@example.com", description: "A person" },
    { command: "svc why spring-outreach", description: "A mission" }
  ])
)
