/** A provider of messages, invitations and e-mails that keeps whom it was asked for, with an agent and a lead to write to. */

import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { EmailGateway } from "#core/email/EmailGateway.ts"
import { dispatchEmails } from "#core/email/sending/emails.ts"
import { NotFound } from "#core/kernel/failure/failures.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { LinkedInGateway, sendingOnly } from "#core/outreach/provider/LinkedInGateway.ts"
import type { Recipient } from "#core/outreach/provider/ProviderReads.ts"
import { CurrentOrganization } from "../support/inOrganization.ts"
import { ok } from "../support/World.ts"

/** What was asked of the provider: with which account or address, and for whom. */
export const asked: Array<string> = []
export const provider = { isBusy: false, connected: new Set<string>(), members: new Map<string, string>() }

const busy = { _tag: "Unavailable", detail: "Busy.", reason: "Busy." } as const
const confirmed = { _tag: "Confirmed", messageId: null, externalId: null } as const

const note = (what: string, gatewayAccountId: string, { identities }: Recipient): string => {
  const whom = identities.map(({ kind, value }) => `${kind}:${value}`).join(" ")
  asked.push(`${what} ${gatewayAccountId.split("-").at(-1)} ${whom}`)
  return whom
}

const write =
  (what: string) => (account: { readonly gatewayAccountId: string }, to: { readonly recipient: Recipient }) =>
    Effect.sync(() => {
      note(what, account.gatewayAccountId, to.recipient)
      return provider.isBusy ? busy : confirmed
    })

const gateway = Layer.succeed(LinkedInGateway, {
  ...sendingOnly,
  name: "unipile",
  accounts: {
    ...sendingOnly.accounts,
    find: () => Effect.succeed({ status: "OK", tier: "PREMIUM", features: [] } as const)
  },
  automaticAccount: () => undefined,
  relation: ({ gatewayAccountId }, recipient) =>
    Effect.sync(() => {
      const whom = note("relation", gatewayAccountId, recipient)
      const connected = !whom.endsWith("-2nd") || provider.connected.has(whom)
      return { _tag: "Known", relation: { connected, chatId: null, invitation: "none" } } as const
    }),
  resolveProfile: (_, identities) => {
    const providerId = provider.members.get(identities.map(({ value }) => value).join(" "))
    if (providerId === undefined) return Effect.fail(new NotFound({ kind: "person", message: "Nobody." }))
    const person = { providerId, identities, fullName: "", profileUrl: null, pictureUrl: null }
    return Effect.succeed({ ...person, headline: "", degree: null, connected: undefined, invitation: "none" as const })
  },
  sendToChat: write("message"),
  startChat: write("message"),
  sendInvitation: write("invitation"),
  withdrawInvitation: ({ gatewayAccountId }, recipient) =>
    Effect.sync(() => {
      note("withdrawal", gatewayAccountId, recipient)
      return confirmed
    }),
  searchPeople: () => Effect.die("not asked")
})

const email = Layer.succeed(EmailGateway, {
  send: ({ from, to }) =>
    Effect.sync(() => {
      asked.push(`email ${from.address} ${to.address}`)
      return provider.isBusy ? busy : confirmed
    })
})

export const linkOf = (slug: string) => `https://www.linkedin.com/in/${slug}`

/** The agent Ada with an account and an e-mail address, the mission `spring`, and Grace. */
export const prepare = Effect.fnUntraced(function* (slug = "grace") {
  asked.length = 0
  Object.assign(provider, { isBusy: false, connected: new Set(), members: new Map() })
  const organizationId = yield* CurrentOrganization
  const email_accounts = [{ provider: "SMTP", email: "ada@sender.example" }]
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", email_accounts })
  yield* link(`${organizationId}-first`)
  yield* ok("mission.create", { name: "Spring", handle: "spring", agent_handle: "ada-martin" })
  yield* ok("PATCH /missions/{missionHandle}", { missionHandle: "spring", emailReviewStrategy: "AUTO" })
  const person = { name: "Grace", custom_id: "g", email: "grace@example.com", linkedin_url: linkOf(slug) }
  return String((yield* ok("lead.upsert", person)).lead_id)
})

export const link = (gateway_account_id: string) =>
  ok("linkedin.account.link", { agent_handle: "ada-martin", gateway_account_id })

export const relink = Effect.gen(function* () {
  yield* ok("linkedin.account.unlink", { agent_handle: "ada-martin" })
  yield* link(`${yield* CurrentOrganization}-second`)
})

export const draftFor = (lead_id: string) =>
  Effect.map(ok("linkedin.draft.create", { lead_id, variations: ["Hello"] }), ({ draft }) => String(draft.draft_id))

/** Whatever is due after some time. */
export const round = Effect.gen(function* () {
  yield* TestClock.adjust("1 hour")
  const organizationId = yield* CurrentOrganization
  yield* dispatchDue({ organizationId })
  yield* dispatchEmails({ organizationId })
})

export const asks = (what: string) => asked.filter((one) => one.startsWith(what))

/** The status of a draft, who approved it, the reason in the queue, and what the review page and the latest event say. */
export const stateOf = Effect.fnUntraced(function* (draft_id: string) {
  const { draft } = yield* ok("linkedin.draft.get", { draft_id })
  const { item } = yield* ok("review.get", { item_id: draft_id })
  const { items } = yield* ok("linkedin.queue.list", { kind: "message", state: ["cancelled", "queued", "sent"] })
  const queued = items.findLast((one: { readonly draft_id: string }) => one.draft_id === draft_id)
  return [
    draft.status,
    draft.approved_by_user_id !== null,
    draft.selected_body_text,
    queued?.reason ?? null,
    item.problem
  ]
})

export const returned = (reason: "recipient_changed" | "account_changed") => [
  "PENDING_REVIEW",
  false,
  null,
  reason,
  `The approval was withdrawn, as ${reason === "account_changed" ? "the sender's account" : "the lead's address or profile"} changed.`
]

/** Gateways that ask the provider. */
export const askedGateways = { gateway, email }
