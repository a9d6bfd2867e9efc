/** `svc approve`: shows drafts, emails and requests, asks, and approves exactly what was shown. */

import { NotFound, quote } from "@svc/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import { notConfirmed } from "../confirmations.ts"
import { invalid, isInteractive, note, outJson } from "../Output.ts"
import { decision, type ReviewItem, readItem, shownItem, waitingItems } from "../review/reviewLoop.ts"
import { callCommand, type Target } from "../Target.ts"
import { sentenceOf } from "../view/columns.ts"
import { ignoreTypedAhead } from "./drafts.ts"
import { baseUrl, json, optionalInt, optionalText, toggle } from "./flags.ts"
import { identifierOf, withTarget } from "./runCommand.ts"

const isItemId = (text: string): boolean => /^(?!ld_)[a-z]{2,5}_\w{20,}$/.test(text)

/** The item that an id or a person means. Fails with NOT_FOUND, and with INVALID_INPUT where it could be several. */
const itemIdOf = Effect.fnUntraced(function* (target: Target, word: string) {
  if (isItemId(word)) return word
  const field = identifierOf(word)
  const isName = field === "lead_id" && !word.startsWith("ld_")
  const { lead, lead_id } = isName ? {} : yield* callCommand(target, "lead.get", { [field]: word })
  const items = yield* waitingItems(target, { query: isName ? word : Object(lead).name })
  const found = items.filter(({ lead: person }) => {
    const { lead_id: id, name } = Object(person)
    return isName ? String(name).toLowerCase().includes(word.toLowerCase()) : id === lead_id
  })
  const [only, ...others] = found.map((item) => String(item["item_id"]))
  if (only === undefined) {
    return yield* new NotFound({
      kind: "draft",
      message: `No open draft found for ${quote(word)}. Run svc review list.`
    })
  }
  if (others.length === 0) return only
  const names = found.map(({ item_id, lead }) => `${Object(lead).name} (${item_id})`)
  return yield* invalid(`${quote(word)} matches ${found.length} drafts: ${names.join(", ")}. Use the id of one.`)
})

/** What a word means, as it waits for approval. */
const waitingItem = Effect.fnUntraced(function* (target: Target, word: string) {
  const id = yield* itemIdOf(target, word)
  const item = yield* readItem(target, id)
  if (item !== undefined) return item
  const message = `${quote(id)} is not waiting for approval. Run svc review get ${id} to see why.`
  return yield* new NotFound({ kind: "draft", message })
})

/** The text to approve: the named one, or the only one; a person on a terminal chooses. Undefined to leave it. */
const textOf = Effect.fnUntraced(function* ({ id, texts }: ReviewItem, named: number | undefined, asks: boolean) {
  const only = named ?? (texts.length === 1 ? 1 : undefined)
  if (only !== undefined && (only < 1 || only > texts.length)) {
    return yield* invalid(`--text must be a whole number from 1 to ${texts.length}.`)
  }
  if (!asks && only === undefined) return yield* invalid(`${id} has ${texts.length} texts. Add --text 1.`)
  if (!asks) return only
  if (only !== undefined) {
    return (yield* Prompt.run(Prompt.Confirm({ message: "Approve it?", initial: false }))) ? only : undefined
  }
  const choices = texts.map((_, index) => ({ title: `Approve text ${index + 1}`, value: index + 1 }))
  const none = { title: "Leave it", value: undefined }
  return yield* Prompt.run(Prompt.Select<number | undefined>({ message: "Decide", choices: [none, ...choices] }))
})

/** What became of an item, as a line. */
const outcomeOf = Effect.fnUntraced(function* (target: Target, { heading, id, kind }: ReviewItem, result: object) {
  const [name] = heading.split(", ", 1)
  const { approval_required, error, mode } = Object(result)
  if (approval_required === true) return `${name}: a policy asks another person to approve this first.`
  if (error != null) return `${name}: approved, but it failed: ${error.message}`
  if (kind === "approval") return `${name}: approved and run.`
  if (mode === "sent") return `${name}: sent.`
  const { departure } = yield* callCommand(target, "review.get", { item_id: id })
  const { leaves_at, summary } = Object(departure)
  return `${name}: approved. ${sentenceOf(summary, leaves_at)}`.trimEnd()
})

/** `svc approve`. */
export const approve = Command.make(
  "approve",
  {
    words: Argument.String("draft|person").pipe(
      Argument.withDescription(
        "Id of a draft, email or approval request; or the email address, lead id or name of a person with one open draft"
      ),
      Argument.atLeast(1)
    ),
    text: optionalInt("text", "Which of a draft's texts to approve, starting at 1"),
    notBefore: optionalText(
      "not-before",
      "Earliest time to send it, such as 2026-12-01T09:00:00+01:00, or next_morning"
    ),
    yes: toggle("yes", "Do not ask"),
    baseUrl,
    json
  },
  ({ json: asJson, notBefore, text, words, yes, ...common }) =>
    withTarget(common, function* (target) {
      const asks = !yes && isInteractive(asJson)
      const approved: Array<object> = []
      const time = notBefore === undefined ? {} : { not_before: notBefore }
      const waiting = yield* Effect.forEach(words, (word) => waitingItem(target, word))
      const other = waiting.find(({ kind }) => kind !== "message" && kind !== "email")
      if (notBefore !== undefined && other !== undefined) {
        return yield* invalid(`${other.id} is neither a draft nor an email. Approve it without --not-before.`)
      }
      for (const [at, item] of waiting.entries()) {
        const place = waiting.length > 1 ? `${at + 1} of ${waiting.length}` : "Approve"
        yield* note(shownItem(item, place, process.stderr.columns || 80))
        if (asks) yield* ignoreTypedAhead
        const chosen = yield* textOf(item, text, asks)
        if (chosen === undefined) continue
        const [command, input] = decision(item, { _tag: "Approve", text: chosen - 1 }, "")
        const result = yield* callCommand(target, command, { ...input, ...time })
        const outcome = yield* outcomeOf(target, item, result)
        approved.push({ item_id: item.id, outcome, result })
        yield* note(`svc: ${outcome}`)
      }
      if (asJson) yield* outJson({ approved }, true)
      if (approved.length === 0) yield* notConfirmed
    })
).pipe(
  Command.withDescription(
    "Show drafts, emails or approval requests with their person and sender, ask, and approve exactly what was shown"
  ),
  Command.withShortDescription("Approve what waits for a person"),
  Command.withExamples([
    { command: "svc approve grace@example.com", description: "The open draft of a person" },
    {
      command: "svc approve drf_SAMPLE00000000000000000001 --text 2 --yes",
      description: "The second text, without asking"
    },
    {
      command: "svc approve grace@example.com --not-before next_morning",
      description: "To be sent on the next working morning"
    }
  ])
)
