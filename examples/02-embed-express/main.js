// The HTTP surface inside an Express app with its own users, after a body parser.
import { createSvc } from "@svc/embed"
import express from "express"

const svc = await createSvc({
  databaseUrl: "memory:",
  // The host authenticates requests: here by a header, in production by a session.
  callerOf: ({ headers }) => {
    const user = headers["x-user"]
    return user === undefined ? undefined : { userId: user }
  }
})

const app = express()
app.use(express.json())
app.get("/", (_request, response) => response.send("the host's own page"))
app.use(svc.node)

const server = app.listen(0, "127.0.0.1")
await new Promise((resolve) => server.once("listening", resolve))
const base = `http://127.0.0.1:${server.address().port}`

const home = await fetch(base)
console.log(`host: ${await home.text()}`)

const created = await fetch(`${base}/api/v1/offers`, {
  method: "POST",
  headers: { "content-type": "application/json", "x-user": "lea" },
  body: JSON.stringify({ name: "Audit", oneLiner: "A day with your books", valueProposition: "Find what leaks." })
})
const { data } = await created.json()
console.log(`created: ${created.status} ${data.offer.name}`)

const stranger = await fetch(`${base}/api/v1/offers`)
console.log(`stranger: ${stranger.status}`)

// In process, on behalf of the same user.
const { offers } = await svc.as({ userId: "lea" }).offers.list({})
console.log(`in process: ${offers.length} offer`)

await new Promise((resolve) => server.close(resolve))
await svc.close()
