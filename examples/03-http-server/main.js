// The server as a separate process, and requests as in any language.
import { spawn } from "node:child_process"
import { createHmac, randomUUID } from "node:crypto"
import { once } from "node:events"
import { createRequire } from "node:module"
import { createInterface } from "node:readline"

const svc = createRequire(import.meta.url).resolve("@svc/cli/bin/svc.js")
const server = spawn(process.execPath, [svc, "serve", "--port", "0", "--json"], {
  env: { ...process.env, SVC_DATABASE_URL: "memory:", SVC_LINKEDIN_GATEWAY: "simulator" },
  stdio: ["ignore", "pipe", "inherit"]
})

// The first line has its URL, and with memory: also an API key.
const [line] = await once(createInterface({ input: server.stdout }), "line")
const { url, api_key } = JSON.parse(line)

const call = async (method, path, body) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const answer = await response.json()
  console.log(`${response.status} ${method} ${path}`)
  return answer
}

await call("POST", "/api/v1/agents", { firstName: "Ada", lastName: "Martin" })
await call("POST", "/api/v1/missions", { name: "Spring", language: "en", handle: "spring", agentHandle: "ada-martin" })
const { data } = await call("POST", "/api/v1/missions/spring/leads", {
  leads: [{ email: "grace@example.com" }, { email: "alan@example.com" }]
})
console.log(`leads in the mission: ${data.mission.leadCount}`)

const upserted = await call("POST", "/api/v1/commands/lead.upsert", {
  email: "grace@example.com",
  name: "Grace Hopper"
})
console.log(`envelope: ok ${upserted.ok}, ${upserted.data.lead.name}`)

const refused = await call("POST", "/api/v1/commands/offer.create", { name: "Half an offer" })
console.log(`refused: ${refused.error.code}`)

// A mail server of your own posts what it receives: the source text, signed as Standard Webhooks says.
const inbound = await call("POST", "/api/v1/commands/email.inbound.get", {})
const { organization_id, secret } = inbound.data
const mail = [
  "From: Grace Hopper <grace@example.com>",
  "To: ada@sender.example",
  "Subject: Re: Month-end",
  "Message-ID: <1@example.com>",
  "",
  "Tell me more."
].join("\r\n")
const post = async () => {
  const id = randomUUID()
  const timestamp = String(Math.floor(Date.now() / 1000))
  const hmac = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
  const headers = {
    "content-type": "message/rfc822",
    "svc-organization": organization_id,
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${hmac.update(`${id}.${timestamp}.${mail}`).digest("base64")}`
  }
  const response = await fetch(`${url}/api/v1/email/inbound`, { method: "POST", headers, body: mail })
  return (await response.json()).data.received
}
console.log(`mail: ${await post()}, again: ${await post()}`)

const status = await call("GET", "/api/v1/resources/read?uri=svc://status")
console.log(`status read at ${status.data.resource.payload.generated_at.slice(0, 4) > "2000" ? "a real time" : "?"}`)

server.kill("SIGTERM")
const [code] = await once(server, "exit")
console.log(`server ended with ${code}`)
