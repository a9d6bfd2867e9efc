// The service inside a program, in memory, with plain promises.
import { createSvc, SvcError } from "@svc/embed"

const svc = await createSvc({ database: "memory:", gateway: "simulator" })

const { agent } = await svc.agents.create({ first_name: "Ada", last_name: "Martin" })
console.log(`agent ${agent.handle}`)

// The same person, by two identifiers: one lead.
const first = await svc.leads.upsert({ email: "grace@example.com", name: "Grace Hopper" })
const again = await svc.leads.upsert({ email: "GRACE@example.com", linkedin_url: "linkedin.com/in/grace-hopper" })
console.log(`one lead: ${first.lead_id === again.lead_id}`)

// A command by its id resolves to the whole envelope, also on failure.
const refused = await svc.commands.run("lead.upsert", { name: "Nobody in particular" })
console.log(refused.ok ? "?" : `refused: ${refused.error.code}`)

// A method throws instead.
try {
  await svc.offers.get({ offer_id: "nope" })
} catch (error) {
  if (error instanceof SvcError) console.log(`thrown: ${error.code} ${error.status}`)
}

const { leads } = await svc.leads.search({ query: "grace" })
console.log(`found ${leads.length}`)

await svc.close()
