// Drives the CRM of host.js over HTTP: people sign in, add contacts, and review what is written to them.
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openHost } from "./host.js"

const folder = await mkdtemp(join(tmpdir(), "svc-crm-"))
const { app, close } = await openHost(process.env.DATABASE_URL ?? `pglite:${join(folder, "data")}`)
const server = app.listen(0, "127.0.0.1")
await once(server, "listening")

const request = async (method, path, { body, cookie } = {}) => {
  const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, {
    method,
    headers: { "content-type": "application/json", ...(cookie === undefined ? {} : { cookie }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return {
    status: response.status,
    cookie: response.headers.get("set-cookie")?.split(";")[0],
    body: await response.json()
  }
}
const signIn = async (company, name) => {
  const { body } = await request("POST", "/users", { body: { company, name } })
  return (await request("POST", "/session", { body: { id: body.id } })).cookie
}

const lea = await signIn("Acme", "Lea")
const bob = await signIn("Globex", "Bob")

const grace = {
  email: "grace@example.com",
  name: "Grace Hopper",
  linkedinUrl: "https://www.linkedin.com/in/grace-hopper"
}
const added = await request("POST", "/contacts", { cookie: lea, body: grace })
console.log(`contact: ${added.status}`)

// The second time the host's table refuses it, and the lead keeps its name.
const again = await request("POST", "/contacts", { cookie: lea, body: { ...grace, name: "Somebody Else" } })
const leads = await request("POST", "/outreach/api/v1/commands/lead.search", { cookie: lea, body: {} })
console.log(`again: ${again.status}, leads: ${leads.body.data.leads.map(({ name }) => name)}`)

// What is no e-mail address is refused by the service, and the host's table has no such contact.
const wrong = await request("POST", "/contacts", { cookie: lea, body: { email: "nowhere", name: "Nobody" } })
console.log(`wrong: ${wrong.status}`)

const run = (cookie, id, body) => request("POST", `/outreach/api/v1/commands/${id}`, { cookie, body })
const agent = await run(lea, "agent.create", { first_name: "Ada", last_name: "Martin", timezone: "Europe/Berlin" })
const mission = await run(lea, "mission.create", { name: "Spring", agent_handle: agent.body.data.agent.handle })
const draft = await run(lea, "linkedin.draft.create", {
  lead_id: added.body.lead_id,
  mission_id: mission.body.data.mission.id,
  variations: [{ body_text: "Hi Grace, how many days does your month-end take?" }]
})
const { draft_id } = draft.body.data.draft
const stranger = await run(bob, "linkedin.draft.approve", { draft_id, variation_index: 0 })
const approved = await run(lea, "linkedin.draft.approve", { draft_id, variation_index: 0 })
console.log(`another company: ${stranger.status}, reviewed: ${approved.body.data.draft.status}`)
console.log(`signed out: ${(await run(undefined, "linkedin.draft.list", {})).status}`)

await new Promise((resolve) => server.close(resolve))
await close()
await rm(folder, { recursive: true })
