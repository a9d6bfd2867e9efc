/** One transmission of any kind that is due, everything that it is about, and a provider that is busy, on any store. */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { EmailGateway } from "#core/email/EmailGateway.ts"
import { dispatchEmails } from "#core/email/sending/emails.ts"
import { asService } from "#core/kernel/background/Worker.ts"
import type { Dispatch } from "#core/kernel/command/Dispatch.ts"
import type { ActorKind } from "#core/kernel/command/Permission.ts"
import { now } from "#core/kernel/schema/IdsAndTime.ts"
import { approvalOf } from "#core/outreach/approval.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { AccountsRepo } from "#core/outreach/provider/AccountsRepo.ts"
import { anyAccountOfAgent, LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import type { Transmission } from "#core/outreach/Transmission.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { actor, ok } from "../support/World.ts"
import { invitationRow } from "./outreachRows.ts"

/** What the other side was asked to take, and what happens while it is asked; it takes nothing, for now. */
export class Provider extends Context.Service<
  Provider,
  { readonly asked: Array<string>; meanwhile: Effect.Effect<void> }
>()("test/Provider") {}

const refuse = (recipient: string) =>
  Effect.gen(function* () {
    const provider = yield* Provider
    provider.asked.push(recipient)
    yield* provider.meanwhile
    return { _tag: "Unavailable", detail: "Busy.", reason: "Busy." } as const
  })

const busy = Layer.effect(
  LinkedInGateway,
  Effect.gen(function* () {
    const gateway = yield* LinkedInGateway
    const provider = yield* Effect.context<Provider>()
    const write = (leadId: string) => Effect.provideContext(refuse(leadId), provider)
    return LinkedInGateway.of({
      ...gateway,
      startChat: (_, { recipient }) => write(recipient.leadId),
      sendToChat: (_, { recipient }) => write(recipient.leadId),
      sendInvitation: (_, { recipient }) => write(recipient.leadId)
    })
  })
)

const busyMail = Layer.effect(
  EmailGateway,
  Effect.map(Effect.context<Provider>(), (provider) =>
    EmailGateway.of({ send: ({ to }) => Effect.provideContext(refuse(to.address), provider) })
  )
)

export type Kind = Transmission["kind"]

/** A transmission that is due, and everything that it is about. */
export interface Case {
  readonly run: (command: string, input: object) => Effect.Effect<Record<string, unknown>, never, Dispatch>
  readonly kind: Kind
  readonly organizationId: string
  readonly id: string
  readonly lead_id: string
  readonly draft_id: string | undefined
}

let prepared = 0

/** What is said, and by whom: `Hello` by a person to somebody who never wrote, unless told otherwise. */
interface Said {
  readonly text?: string
  readonly by?: ActorKind
  readonly isAnswer?: boolean
  readonly disclosure?: string
}

/** A transmission of this kind that is due, in an organization of its own. */
export const prepare = Effect.fnUntraced(function* (
  kind: Kind,
  { by = "USER", disclosure, isAnswer = false, text }: Said = {}
) {
  prepared += 1
  const organizationId = `org_${kind}_${prepared}`
  const run = (command: string, input: object) => ok(command, input, { actor: owner(organizationId) })
  const runAs = (command: string, input: object) => ok(command, input, { actor: actor(organizationId, { kind: by }) })
  yield* organization(organizationId)
  yield* run("agent.create", {
    first_name: "Ada",
    last_name: "Martin",
    email_accounts: [{ provider: "SMTP", email: `ada@${organizationId.replaceAll("_", "-")}.example` }]
  })
  yield* run("mission.create", { name: "Spring", handle: "spring", agent_handle: "ada-martin" })
  yield* run("PATCH /missions/{missionHandle}", { missionHandle: "spring", emailReviewStrategy: "AUTO" })
  const linkedin_url = `https://www.linkedin.com/in/grace${kind === "invitation" ? "-2nd" : ""}`
  const { lead_id } = yield* run("lead.upsert", { email: "grace@quiet.example", linkedin_url, name: "Grace Hopper" })
  if (isAnswer) {
    yield* run("lead.message.record", { lead_id, channel: "EMAIL", direction: "inbound", content: "Tell me more" })
    yield* TestClock.adjust("1 second")
  }
  if (disclosure !== undefined) yield* run("policy.set", { disclosure })
  const about = { run, kind, organizationId, lead_id: String(lead_id) }
  if (kind === "email") {
    const written = { subject: "Invoices", body_text: text ?? "Hello" }
    const { email } = yield* runAs("email.send", { lead_id, mission_id: "spring", ...written })
    yield* TestClock.adjust("11 seconds")
    return { ...about, draft_id: undefined, id: String(Object(email).email_id) }
  }
  const { draft } = yield* run("linkedin.draft.create", {
    lead_id,
    agent_handle: "ada-martin",
    mission_id: "spring",
    variations: [text ?? "Hello"]
  })
  const draft_id = String(Object(draft).draft_id)
  if (kind === "message") {
    const approved = yield* runAs("linkedin.draft.approve", { draft_id })
    yield* TestClock.adjust("11 seconds")
    return { ...about, draft_id, id: String(Object(approved["draft"]).dispatched_queue_item_id) }
  }
  const account = yield* asService(organizationId, anyAccountOfAgent(String(Object(Object(draft).agent).agent_id)))
  yield* (yield* AccountsRepo).ensure(account)
  const at = yield* now
  const row = { ...invitationRow(organizationId, about.lead_id, at), createdAt: at, updatedAt: at }
  const requestedBy = { userId: "usr_1", actorKind: by }
  const recipient = [{ kind: "slug", value: "grace-2nd", derived: false }] as const
  const owners = {
    note: text ?? null,
    approved: approvalOf({ recipient, sender: account.id, missionId: null, words: [text ?? null] }),
    requestedBy,
    accountId: account.id,
    agentId: account.agentId,
    draftId: draft_id
  }
  yield* (yield* TransmissionsRepo).save(organizationId, [{ ...row, ...owners }])
  return { ...about, draft_id, id: row.id }
})

/** What became of it; that it waits says enough. */
export const fateOf = Effect.fnUntraced(function* ({ draft_id, id, kind, organizationId, run }: Case) {
  const row = (yield* (yield* TransmissionsRepo).find(organizationId, id))?.row
  const state = row?.state === "queued" ? "queued" : `${row?.state} ${row?.reason}`
  if (kind !== "message") return state
  const { draft } = yield* run("linkedin.draft.get", { draft_id })
  return `${state}, ${Object(draft).status}`
})

export const round = (organizationId: string) =>
  Effect.andThen(dispatchDue({ organizationId }), dispatchEmails({ organizationId }))

/** Gateways that ask the provider. */
export const busyGateways = { acceptSeconds: 1_000_000, email: busyMail, gateway: busy }

/** The provider that they ask. */
export const provider: Layer.Layer<Provider> = Layer.sync(Provider, () => ({ asked: [], meanwhile: Effect.void }))
