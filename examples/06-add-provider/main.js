// Your own way to LinkedIn: one layer. It must never pretend: "Confirmed" means that the message left.
import { LinkedInGateway, sendingOnly } from "@svc/core/outreach"
import { createSvc } from "@svc/embed"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const sent = []
const confirmed = (kind, { idempotencyKey, text = "" }) =>
  Effect.sync(() => {
    sent.push(`${kind}: ${text}`)
    return { _tag: "Confirmed", messageId: idempotencyKey, externalId: null }
  })

const gateway = Layer.succeed(LinkedInGateway, {
  // What a provider cannot do: reading conversations, withdrawing invitations, linking accounts by a page.
  ...sendingOnly,
  name: "outbox",
  automaticAccount: ({ id }) => ({ gatewayAccountId: `outbox-${id}`, tier: "FREE", features: [] }),
  relation: () => Effect.succeed({ _tag: "Known", relation: { connected: true, chatId: "chat", invitation: "none" } }),
  sendToChat: (_account, delivery) => confirmed("message", delivery),
  startChat: (_account, delivery) => confirmed("message", delivery),
  sendInvitation: (_account, delivery) => confirmed("invitation", delivery),
  searchPeople: () => Effect.succeed({ people: [], next: null, total: 0 })
})

const svc = await createSvc({ databaseUrl: "memory:", gateway, worker: false })
await svc.agents.create({ first_name: "Ada", last_name: "Martin" })
const { lead_id } = await svc.leads.upsert({ linkedin_url: "https://www.linkedin.com/in/grace-hopper" })
const { draft } = await svc.linkedin.draft.create({ lead_id, variations: [{ body_text: "Hello Grace" }] })
const approved = await svc.linkedin.draft.approve({ draft_id: draft.draft_id, send_now: true })
console.log(`${approved.draft.status}: ${sent.join()}`)
await svc.close()
