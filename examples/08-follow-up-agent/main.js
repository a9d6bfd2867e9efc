// An agent that writes follow-ups when they are due. A test service lets a week pass in a moment; against your own service the
// agent runs every hour, or when the event `lead.follow_up_due` arrives.
import { testSvc } from "@svc/testing"
import { writeFollowUps } from "./agent.js"

const { as, clock, close, provider, sent, svc, work } = await testSvc()
const agent = as("ai_agent")
await svc.agents.create({ first_name: "Ada", last_name: "Martin", handle: "ada-martin" })
await svc.missions.create({ name: "Spring", handle: "spring", agent_handle: "ada-martin" })
await svc.missions.steps.set({
  mission_id: "spring",
  steps: [
    { after: "no_reply", working_days: 3, channel: "LINKEDIN", purpose: "Show what a similar company gained" },
    { after: "no_reply", working_days: 5, channel: "LINKEDIN", purpose: "Ask whom else to talk to, and close" }
  ]
})

/** Drafts that wait are approved by a person, and leave. */
const approve = async () => {
  const { drafts } = await svc.linkedin.draft.list({ status: ["PENDING_REVIEW"] })
  for (const { draft_id } of drafts) await svc.linkedin.draft.approve({ draft_id, variation_index: 0 })
  await work()
}

const people = ["grace-hopper", "alan-turing"]
const leads = []
for (const slug of people) {
  const linkedin_url = `https://www.linkedin.com/in/${slug}`
  const { lead_id } = await svc.leads.upsert({ linkedin_url, mission_id: "spring" })
  leads.push(lead_id)
  await svc.linkedin.draft.create({ lead_id, mission_id: "spring", variations: [{ body_text: `Hello ${slug}` }] })
}
await approve()
console.log(`first messages: ${sent().length}`)

const write = async ({ lead }, { of, purpose, step }) => ({ body_text: `${lead.name}, ${step} of ${of}: ${purpose}` })
console.log(`due at once: ${await writeFollowUps(agent, write)}`)

// Alan replies, so nothing more is due for him.
provider.reply({ leadId: leads[1], text: "Thank you, tell me more." })
await clock.advance("3 days")
await work()
console.log(`after three working days: ${await writeFollowUps(agent, write)}`)
console.log(`written twice: ${await writeFollowUps(agent, write)}`)
await approve()
for (const { text } of sent().slice(2)) console.log(text)
await close()
