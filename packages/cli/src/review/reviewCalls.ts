/** The calls of a review to the service. */
import { type DraftId, type Failure, Relayed } from "@svc/core"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { runCommand } from "../commands/runCommand.ts"
import { isCode } from "../Output.ts"
import { objectsOf, type Reply, type Target } from "../Target.ts"
import type { CommandCall, Decision, ReviewedDraft, ReviewFinding, ReviewState, WaitingDraft } from "./ReviewState.ts"

const pageSize = 100

const dataOrFail = (reply: Reply): Effect.Effect<Readonly<Record<string, unknown>>, Failure> => {
  const { data, error } = Object(reply.body)
  if (reply.status < 400 && data !== undefined) return Effect.succeed(data)
  const code = String(error?.code)
  return Effect.fail(
    new Relayed(isCode(code) ? code : "INTERNAL", {
      message: String(error?.message ?? `The service returned ${reply.status}.`)
    })
  )
}

/** Runs a command. Fails with the code of an error. */
export const run = (target: Target, { id, input }: CommandCall) =>
  Effect.flatMap(
    runCommand(target, id, JSON.stringify(input), {
      profile: Option.none(),
      dryRun: false,
      idempotencyKey: Option.none()
    }),
    dataOrFail
  )

const joined = (parts: ReadonlyArray<unknown>, by: string): string => parts.filter((part) => part).join(by)

const textsOf = (variations: unknown): ReadonlyArray<string> =>
  objectsOf(variations).map(({ body_text }) => String(body_text))

type Row = Readonly<Record<string, unknown>>

/** All drafts to review, of one mission if it is given, oldest first. Fails with NOT_FOUND for an unknown mission. */
export const waitingDrafts = Effect.fnUntraced(function* (target: Target, mission: string | undefined) {
  const waiting: Array<WaitingDraft> = []
  let cursor: unknown
  do {
    const input = {
      kind: ["message"],
      limit: pageSize,
      ...(mission === undefined ? {} : { mission_id: mission }),
      ...(typeof cursor === "string" ? { cursor } : {})
    }
    const page = yield* run(target, { id: "review.list", input })
    for (const { item_id, lead, mission: of, preview } of objectsOf(page["items"])) {
      const { company_name, name } = Object(lead)
      waiting.push({ id: String(item_id), label: joined([name, company_name, Object(of).name, preview], ", ") })
    }
    cursor = page["next_cursor"]
  } while (typeof cursor === "string")
  return waiting
})

const findingOf = ({ hint, message, severity, variation_index }: Row): ReviewFinding => ({
  severity: String(severity),
  message: String(message),
  hint: String(hint ?? ""),
  variation: typeof variation_index === "number" ? variation_index : undefined
})

const list = (title: string, texts: unknown): ReadonlyArray<string> =>
  Array.isArray(texts) && texts.length > 0 ? ["", title, ...texts.map((text) => `• ${String(text)}`)] : []

/** The lead, the conversation, the brief and the proof, one line each. */
const besideOf = ({ lead, mission, offer, thread }: Row): ReadonlyArray<string> => {
  const { email, headline, linkedin_url, location, posts, score, score_reasons, status } = Object(lead)
  const { brief, name } = Object(mission)
  const said = objectsOf(thread).map(
    ({ at, direction, text }) => `${String(at).slice(0, 10)} ${direction === "inbound" ? "←" : "→"} ${String(text)}`
  )
  return [
    ...[headline, location, email, linkedin_url].filter((fact) => typeof fact === "string" && fact !== ""),
    joined([status, typeof score === "number" && score > 0 ? `score ${score}` : ""], ", "),
    ...list("Why this score", score_reasons),
    "",
    ...(said.length === 0 ? ["No messages so far."] : ["Conversation", ...said]),
    ...list(
      "Posts",
      objectsOf(posts).map(({ text }) => text)
    ),
    ...(name === undefined ? [] : ["", String(name)]),
    ...Object.values(Object(brief)).filter((text) => typeof text === "string" && text !== ""),
    ...list(`Proof of ${String(Object(offer).name ?? "the offer")}`, Object(offer).proof)
  ]
}

/** Reads a draft with everything about it; undefined if it is no longer to be reviewed. */
export const readDraft = (target: Target, draftId: DraftId): Effect.Effect<ReviewedDraft | undefined, Failure> =>
  run(target, { id: "review.get", input: { item_id: draftId } }).pipe(
    Effect.map((data) => {
      const { content_hash, draft, findings, item, lead, max_characters, viewers } = data
      if (Object(item).state !== "in_review") return undefined
      const { agent, mission } = Object(item)
      const others = objectsOf(viewers).map(({ name }) => name)
      const { company_name, job_title, name } = Object(lead)
      return {
        draftId,
        lead: joined([name ?? "No lead", joined([job_title, company_name], " at ")], ", "),
        about: joined(
          [
            agent?.name && `from ${agent.name}`,
            mission?.name && `for ${mission.name}`,
            others.length > 0 && `also open: ${others.join(", ")}`
          ],
          ", "
        ),
        variations: textsOf(Object(draft).variations),
        findings: objectsOf(findings).map(findingOf),
        beside: besideOf(data),
        agentHandle: agent?.handle,
        flagged: Object(item).flagged === true,
        maxCharacters: typeof max_characters === "number" ? max_characters : undefined,
        contentHash: String(content_hash)
      }
    }),
    Effect.catchIf(
      ({ code }) => code === "NOT_FOUND",
      () => Effect.succeed(undefined)
    )
  )

/** The name of the LinkedIn account that would send a draft. Fails with NO_LINKEDIN_ACCOUNT if the agent has none. */
export const accountName = (target: Target, { agentHandle }: ReviewedDraft): Effect.Effect<string, Failure> =>
  Effect.flatMap(run(target, { id: "linkedin.account.list", input: {} }), ({ accounts }) => {
    const found = objectsOf(accounts).find(({ agent_handle }) => agent_handle === agentHandle)
    return found === undefined
      ? Effect.fail(new Relayed("NO_LINKEDIN_ACCOUNT", { message: "No LinkedIn account is linked to this agent." }))
      : Effect.succeed(String(found["name"] ?? agentHandle))
  })

const reopened = (draftId: DraftId): CommandCall => ({ id: "linkedin.draft.reopen", input: { draft_id: draftId } })

const departureTime = {
  locale: "en",
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23"
} as const

/** When an approved message leaves, and why; empty if the service does not say. */
const departureOf = (target: Target, draftId: DraftId): Effect.Effect<string> =>
  run(target, { id: "review.get", input: { item_id: draftId } }).pipe(
    Effect.map(({ departure }) => {
      const { leaves_at, reasons } = Object(departure)
      const time = DateTime.make(String(leaves_at))
      const when = Option.isNone(time) ? "" : DateTime.formatLocal(time.value, departureTime)
      const why = Array.isArray(reasons) ? reasons.join(", ") : ""
      return when === "" ? (why === "" ? "" : ` It waits: ${why}.`) : ` Leaves ${when}${why === "" ? "" : ` (${why})`}.`
    }),
    Effect.orElseSucceed(() => "")
  )

/** Approves the chosen text as it was read, and sends it with `now`. */
export const approveDraft = Effect.fnUntraced(function* (
  target: Target,
  { selected }: ReviewState,
  { contentHash, draftId, lead }: ReviewedDraft,
  waiting: WaitingDraft,
  now: boolean
): Effect.fn.Return<Decision, Failure> {
  const input = {
    draft_id: draftId,
    variation_index: selected,
    content_hash: contentHash,
    ...(now ? { send_now: true } : {})
  }
  const { draft } = yield* run(target, { id: "linkedin.draft.approve", input })
  const isSent = Object(draft).status === "DISPATCHED"
  return {
    kind: isSent ? "sent" : "approved",
    draft: waiting,
    lead,
    note: isSent ? "" : yield* departureOf(target, draftId),
    undo: isSent ? undefined : reopened(draftId)
  }
})

/** Rejects a draft, or asks for a rewrite, with a text for its writer. */
export const returnDraft = (
  target: Target,
  what: "Reject" | "Rewrite",
  text: string,
  { contentHash, draftId, lead }: ReviewedDraft,
  waiting: WaitingDraft
): Effect.Effect<Decision, Failure> => {
  const bound = { draft_id: draftId, content_hash: contentHash }
  const isRejected = what === "Reject"
  const call = isRejected
    ? { id: "linkedin.draft.reject", input: { ...bound, reason: text } }
    : { id: "linkedin.draft.request-rewrite", input: { ...bound, instructions: text } }
  return Effect.as(run(target, call), {
    kind: isRejected ? "rejected" : "sent back",
    draft: waiting,
    lead,
    note: "",
    undo: isRejected ? reopened(draftId) : undefined
  })
}

/** Hides a draft until nine o'clock of a day to come. */
export const snoozeDraft = Effect.fnUntraced(function* (
  target: Target,
  days: number,
  { draftId, lead }: ReviewedDraft,
  waiting: WaitingDraft
): Effect.fn.Return<Decision, Failure> {
  const id = "linkedin.draft.snooze"
  const until = new Date(yield* Clock.currentTimeMillis)
  until.setDate(until.getDate() + days)
  until.setHours(9, 0, 0, 0)
  yield* run(target, { id, input: { draft_id: draftId, until: until.toISOString() } })
  return { kind: "snoozed", draft: waiting, lead, note: "", undo: { id, input: { draft_id: draftId, until: null } } }
})

/** Flags a draft, or removes its flag. */
export const flagDraft = (target: Target, { draftId, flagged }: ReviewedDraft) =>
  run(target, { id: "linkedin.draft.flag", input: { draft_id: draftId, flagged: !flagged } })

/** Replaces the chosen text. */
export const saveText = (target: Target, { selected }: ReviewState, draft: ReviewedDraft, text: string) => {
  const variations = draft.variations.map((before, position) => ({ body_text: position === selected ? text : before }))
  return run(target, { id: "linkedin.draft.update", input: { draft_id: draft.draftId, variations } })
}
