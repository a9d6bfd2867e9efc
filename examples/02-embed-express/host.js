// A small CRM with tables of its own. Its users sign in by cookie; its contacts are leads too, in the same transaction.
import { randomBytes } from "node:crypto"
import { createSvc, scopeBundles } from "@svc/embed"
import express from "express"

const tables = [
  "create table if not exists users (id text primary key, company text not null, name text not null)",
  "create table if not exists contacts (id bigserial primary key, company text not null, email text not null unique, lead_id text not null)"
]

/** Opens the CRM on a database: `pglite:FOLDER`, or the URL of a PostgreSQL, which its tables and the service share. */
export const openHost = async (database) => {
  /** Users by the cookie of their session. */
  const sessions = new Map()
  const userOf = ({ headers }) => sessions.get(/(?:^|; )session=(\w+)/.exec(headers.cookie ?? "")?.[1])

  const svc = await createSvc({
    database,
    gateway: "simulator",
    // The CRM has no roles: whoever is signed in has every right in their company.
    defaultScopes: scopeBundles.full,
    auth: [
      async (request) => {
        const user = userOf(request)
        return user && actorOf(user)
      }
    ]
  })
  const actorOf = async ({ company, id }) => ({
    userId: id,
    organizationId: (await svc.organizations.ensure({ externalId: company, name: company })).id
  })
  await svc.transaction(async (tx) => {
    for (const table of tables) await tx.query(table)
  })

  const app = express()
  app.use(express.json())

  app.post("/users", async ({ body: { company, name } }, response) => {
    const id = `u_${randomBytes(6).toString("hex")}`
    const insert = "insert into users (id, company, name) values ($1, $2, $3)"
    await svc.transaction((tx) => tx.query(insert, [id, company, name]))
    response.status(201).json({ id })
  })

  app.post("/session", async ({ body: { id } }, response) => {
    const [user] = await svc.transaction((tx) => tx.query("select * from users where id = $1", [id]))
    if (user === undefined) return response.status(404).json({ error: "Unknown user." })
    const session = randomBytes(16).toString("hex")
    sessions.set(session, user)
    response.cookie("session", session, { httpOnly: true, sameSite: "strict" }).json({ name: user.name })
  })

  // Either there are a contact and a lead, or neither: also if one of them is refused.
  app.post("/contacts", async (request, response) => {
    const user = userOf(request)
    if (user === undefined) return response.status(401).json({ error: "Sign in first." })
    const { email, linkedinUrl, name } = request.body
    const actor = await actorOf(user)
    const contact = await svc.transaction(async (tx) => {
      const { lead_id } = await tx.as(actor).leads.upsert({ email, name, linkedin_url: linkedinUrl })
      const insert = "insert into contacts (company, email, lead_id) values ($1, $2, $3) returning lead_id"
      const [row] = await tx.query(insert, [user.company, email, lead_id])
      return row
    })
    response.status(201).json(contact)
  })

  // Reviewers work in the service's own surface, signed in as they are.
  app.use("/outreach", svc.node)

  app.use((error, _request, response, _next) => {
    // 23505: the contact is there already. A failure of the service has its own code and status.
    const status = error.code === "23505" ? 409 : (error.status ?? 500)
    response.status(status).json({ error: status === 500 ? "Something went wrong." : error.message })
  })

  return { app, close: () => svc.close() }
}
