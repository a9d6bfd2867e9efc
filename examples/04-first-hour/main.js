// The first hour: from an empty workspace to a sent message, and one that waits for a connection.
import { createSvc } from "@svc/embed"

const svc = await createSvc({
  database: process.env.SVC_DATABASE_URL ?? "memory:",
  gateway: "simulator"
})

// What we sell, who sends, and why.
const { offer } = await svc.offers.create({
  name: "Invoice automation",
  one_liner: "Invoices that book themselves",
  value_proposition: "Finance teams close the month four days earlier."
})
const { agent } = await svc.agents.create({ first_name: "Ada", last_name: "Martin", timezone: "Europe/Berlin" })
const { mission } = await svc.missions.create({
  name: "Spring outreach",
  agent_handle: agent.handle,
  offer_id: offer.id
})
console.log(`mission ${mission.name} sells ${mission.brief.offer_name}`)

// Who to contact: a search, explained without contacting LinkedIn, then imported.
const url =
  "https://www.linkedin.com/sales/search/people?query=(keywords%3Afinance%2520sim-30%2C" +
  "filters%3AList((type%3ASENIORITY_LEVEL%2Cvalues%3AList((id%3A310%2Ctext%3ACXO%2CselectionType%3AINCLUDED)))))"
const parsed = await svc.imports.salesNav.parse({ url })
console.log(parsed.explanation)
const imported = await svc.imports.salesNav.search({ url, mission_id: mission.id })
console.log(`imported: ${imported.created_count} created, ${imported.invalid_count} invalid`)
const again = await svc.imports.salesNav.search({ url, mission_id: mission.id })
console.log(`the same search again: already_exists ${again.already_exists}`)

// And a person we know, by several identifiers.
const { lead_id } = await svc.leads.upsert({
  email: "grace@example.com",
  name: "Grace Hopper",
  linkedin_url: "https://www.linkedin.com/in/grace-hopper",
  mission_id: mission.id
})

// Three variations; a person picks one.
const { draft } = await svc.linkedin.draft.create({
  lead_id,
  mission_id: mission.id,
  variations: [
    { body_text: "Hi Grace, how many days does your month-end take?" },
    { body_text: "Hi Grace, a customer went from six days of closing to two. Worth a look?" },
    { body_text: "Hi Grace, one question about how you book invoices today?" }
  ]
})
console.log(`draft ${draft.status} with ${draft.variations.length} variations`)
const sent = await svc.linkedin.draft.approve({ draft_id: draft.draft_id, variation_index: 1, send_now: true })
console.log(`approved and ${sent.dispatch_result.status}: draft ${sent.draft.status}`)

// A person who is not connected yet: the message waits for the connection.
const stranger = await svc.leads.upsert({ name: "Alan Turing", linkedin_url: "linkedin.com/in/alan-turing-2nd" })
const waiting = await svc.linkedin.draft.create({
  lead_id: stranger.lead_id,
  mission_id: mission.id,
  variations: [{ body_text: "Hi Alan, who books the invoices at Bletchley?" }]
})
const held = await svc.linkedin.draft.approve({
  draft_id: waiting.draft.draft_id,
  send_now: true,
  send_invitation: true
})
console.log(`the second one: ${held.dispatch_result.status}`)

const lead = await svc.leads.get({ lead_id })
console.log(`Grace is now ${lead.lead.status}`)
const { payload } = await svc.resources.read("svc://status")
console.log(`status generated: ${typeof payload.generated_at === "string"}`)

await svc.close()
