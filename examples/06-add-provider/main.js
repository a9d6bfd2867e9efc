// Your own way to LinkedIn: functions. They must never pretend: "confirmed" means that the message left. What a write throws
// is an unknown outcome, which a person settles. With Effect, a layer of LinkedInGateway does the same.
import { createSvc, defineGateway } from "@svc/embed"

const sent = []
const confirmed = async (kind, { idempotencyKey, text = "" }) => {
  sent.push(`${kind}: ${text}`)
  return { outcome: "confirmed", messageId: idempotencyKey }
}

const gateway = defineGateway({
  name: "outbox",
  automaticAccount: ({ id }) => ({ gatewayAccountId: `outbox-${id}` }),
  relation: async () => ({ connected: true, chatId: "chat", invitation: "none" }),
  sendToChat: (_account, delivery) => confirmed("message", delivery),
  startChat: (_account, delivery) => confirmed("message", delivery),
  sendInvitation: (_account, delivery) => confirmed("invitation", delivery)
  // What is left out a provider cannot do: searching people, reading conversations, withdrawing invitations.
})

const svc = await createSvc({ database: "memory:", gateway, worker: false })
await svc.agents.create({ first_name: "Ada", last_name: "Martin" })
const { lead_id } = await svc.leads.upsert({ linkedin_url: "https://www.linkedin.com/in/grace-hopper" })
const { draft } = await svc.linkedin.draft.create({ lead_id, variations: [{ body_text: "Hello Grace" }] })
const approved = await svc.linkedin.draft.approve({ draft_id: draft.draft_id, send_now: true })
console.log(`${approved.draft.status}: ${sent.join()}`)
await svc.close()
