/** The calls of a review to the service. */
import { type DraftId, type Failure, Relayed } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { runCommand } from "../commands/runCommand.ts"
import { isCode } from "../Output.ts"
import { objectsOf, type Reply, type Target } from "../Target.ts"
import type { Decision, ReviewedDraft, ReviewFinding, ReviewState, WaitingDraft } from "./ReviewState.ts"

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

const run = (target: Target, id: string, input: object) =>
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

/** All drafts to review, of one mission if it is given, oldest first. Fails with NOT_FOUND for an unknown mission. */
export const waitingDrafts = Effect.fnUntraced(function* (target: Target, mission: string | undefined) {
  const waiting: Array<WaitingDraft> = []
  let cursor: unknown
  do {
    const page = yield* run(target, "linkedin.draft.list", {
      status: ["PENDING_REVIEW"],
      limit: pageSize,
      ...(mission === undefined ? {} : { mission_id: mission }),
      ...(typeof cursor === "string" ? { cursor } : {})
    })
    for (const { draft_id, lead, mission: of, variations } of objectsOf(page["drafts"])) {
      const { company_name, name } = Object(lead)
      const label = joined([name, company_name, Object(of).name, ...textsOf(variations)], ", ")
      waiting.push({ id: String(draft_id), label })
    }
    cursor = page["next_cursor"]
  } while (typeof cursor === "string")
  return waiting.reverse()
})

const findingOf = ({ message, path, severity }: Readonly<Record<string, unknown>>): ReviewFinding => {
  const position = /^variations\[(\d+)\]/.exec(String(path))?.[1]
  return {
    severity: String(severity),
    message: String(message),
    variation: position === undefined ? undefined : Number(position)
  }
}

const besideOf = (data: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  const { lead, prospect_context: context } = Object(data)
  const { email, headline, location, score, status } = Object(lead)
  const { conversation, missions, next_action, relation } = Object(context)
  const said = objectsOf(conversation).map(({ at, body_text, direction, sent_at, text }) =>
    joined(
      [`${String(at ?? sent_at ?? "").slice(0, 10)} ${direction === "inbound" ? "←" : "→"}`, text ?? body_text],
      " "
    )
  )
  return [
    ...[headline, location, email].filter((fact) => typeof fact === "string" && fact !== ""),
    joined([status, typeof score === "number" && score > 0 ? `score ${score}` : ""], ", "),
    ...objectsOf(missions).map(({ name, offer_name }) => joined([name, offer_name], ": ")),
    ...(typeof relation === "string" ? [`LinkedIn: ${relation}`] : []),
    ...(typeof Object(next_action).why === "string" ? [String(Object(next_action).why)] : []),
    "",
    ...(said.length === 0 ? ["No messages so far."] : said)
  ]
}

/** Reads a draft with its findings, its lead and the conversation; undefined if it is no longer to be reviewed. */
export const readDraft = (target: Target, draftId: DraftId): Effect.Effect<ReviewedDraft | undefined, Failure> =>
  Effect.gen(function* () {
    const uri = encodeURIComponent(`svc://linkedin/drafts/${draftId}`)
    const { resource } = Object(
      yield* Effect.flatMap(target.send({ method: "GET", path: `/api/v1/resources/read?uri=${uri}` }), dataOrFail)
    )
    const { content_hash, draft } = Object(Object(resource).payload)
    const { agent, lead, mission, status, variations } = Object(draft)
    if (status !== "PENDING_REVIEW") return undefined
    const { findings } = yield* run(target, "linkedin.draft.check", { draft_id: draftId })
    const known = lead?.lead_id === undefined ? {} : yield* run(target, "lead.get", { lead_id: lead.lead_id })
    return {
      draftId,
      lead: joined([lead?.name ?? "No lead", joined([lead?.job_title, lead?.company_name], " at ")], ", "),
      about: joined(
        [agent?.name && `from ${agent.name}`, mission?.name && `for ${mission.name}`, lead?.linkedin_url],
        "   "
      ),
      variations: textsOf(variations),
      findings: objectsOf(findings).map(findingOf),
      beside: besideOf(known),
      agentHandle: agent?.handle,
      contentHash: String(content_hash)
    }
  }).pipe(
    Effect.catchIf(
      ({ code }) => code === "NOT_FOUND",
      () => Effect.succeed(undefined)
    )
  )

/** The name of the LinkedIn account that would send a draft. Fails with NOT_FOUND if the agent has none. */
export const accountName = (target: Target, { agentHandle }: ReviewedDraft): Effect.Effect<string, Failure> =>
  Effect.flatMap(run(target, "linkedin.account.list", {}), ({ accounts }) => {
    const found = objectsOf(accounts).find(({ agent_handle }) => agent_handle === agentHandle)
    return found === undefined
      ? Effect.fail(new Relayed("NO_LINKEDIN_ACCOUNT", { message: "No LinkedIn account is linked to this agent." }))
      : Effect.succeed(String(found["name"] ?? agentHandle))
  })

/** Approves the chosen text as it was read, and sends it with `now`. */
export const approveDraft = (
  target: Target,
  { selected }: ReviewState,
  { contentHash, draftId, lead }: ReviewedDraft,
  waiting: WaitingDraft,
  now: boolean
): Effect.Effect<Decision, Failure> =>
  Effect.map(
    run(target, "linkedin.draft.approve", {
      draft_id: draftId,
      variation_index: selected,
      content_hash: contentHash,
      ...(now ? { send_now: true } : {})
    }),
    ({ draft }) => {
      const { dispatched_queue_item_id: queueId, status } = Object(draft)
      const isSent = status === "DISPATCHED"
      return {
        kind: isSent ? "sent" : "approved",
        draft: waiting,
        lead,
        queueId: typeof queueId === "string" ? queueId : undefined,
        undoable: !isSent && typeof queueId === "string"
      }
    }
  )

/** Cancels a draft. */
export const cancelDraft = (
  target: Target,
  { draftId, lead }: ReviewedDraft,
  waiting: WaitingDraft
): Effect.Effect<Decision, Failure> =>
  Effect.as(run(target, "linkedin.draft.cancel", { draft_id: draftId }), {
    kind: "cancelled",
    draft: waiting,
    lead,
    queueId: undefined,
    undoable: false
  })

/** Puts a decided draft back under review. Fails with WRONG_STATE when it has been sent. */
export const undoDecision = (target: Target, { queueId }: Decision): Effect.Effect<unknown, Failure> =>
  run(target, "linkedin.queue.cancel", { queue_id: queueId })

/** Replaces the chosen text. */
export const saveText = (target: Target, { selected }: ReviewState, draft: ReviewedDraft, text: string) =>
  run(target, "linkedin.draft.update", {
    draft_id: draft.draftId,
    variations: draft.variations.map((before, position) => ({ body_text: position === selected ? text : before }))
  })
