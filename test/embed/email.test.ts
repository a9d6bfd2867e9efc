/** E-mail through the whole service: written by a host, sent over SMTP, or not at all. */
import { assert, describe, it } from "@effect/vitest"
import { SMTPServer } from "smtp-server"
import { manualGatewayLayer } from "#core/outreach/provider/LinkedInGateway.ts"
import { createSvc, type SvcOptions } from "#embed/createSvc.ts"
import type { Svc } from "#embed/Svc.ts"
import type { SvcSettings } from "#embed/SvcSettings.ts"

const dataOf = <A>(envelope: { readonly ok: true; readonly data: A } | { readonly ok: false }): A => {
  if (!envelope.ok) throw new Error(JSON.stringify(envelope))
  return envelope.data
}

const write = async ({ commands }: Svc) => {
  const account = { provider: "SMTP", email: "ada@sender.example" } as const
  dataOf(await commands.run("agent.create", { first_name: "Ada", last_name: "Martin", email_accounts: [account] }))
  dataOf(await commands.run("mission.create", { name: "Letters", agent_handle: "ada-martin" }))
  const { lead_id } = dataOf(await commands.run("lead.upsert", { email: "grace@example.com", name: "Grace" }))
  const letter = { lead_id, mission_id: "letters", subject: "Hello", body_text: "Grace" }
  dataOf(await commands.run("email.send", letter))
  return async () => dataOf(await commands.run("email.list", {})).emails[0]
}

/** Neither time to change one's mind nor working hours; sent when the test says so. */
const open = (settings: SvcSettings, options: SvcOptions = {}) =>
  createSvc({
    databaseUrl: "memory:",
    env: false,
    worker: false,
    settings: { sendHoldSeconds: 0, linkedinPacing: "off", ...settings },
    ...options
  })

describe("e-mail of a host program", () => {
  it("leaves over SMTP", async () => {
    const got: Array<string> = []
    const server = new SMTPServer({
      disabledCommands: ["STARTTLS"],
      authOptional: true,
      onData: (stream, session, callback) => {
        stream.resume()
        stream.on("end", () => {
          got.push(...session.envelope.rcptTo.map(({ address }) => address))
          callback()
        })
      }
    })
    const port = await new Promise<number>((resolve) => {
      const listening = server.listen(0, "127.0.0.1", () => resolve(Object(listening.address()).port))
    })
    const svc = await open({ smtp: `smtp://127.0.0.1:${port}` })
    const state = await write(svc)
    assert.deepInclude(await svc.work(), { emails: 1 })
    assert.deepInclude(await state(), { state: "sent", attempts: 1 })
    await svc.close()
    assert.deepStrictEqual(got, ["grace@example.com"])
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })

  it("waits, and says why, where nothing is simulated and no server is set", async () => {
    const svc = await open({}, { gateway: manualGatewayLayer })
    const state = await write(svc)
    assert.deepInclude(await svc.work(), { emails: 0 })
    const waiting = await state()
    assert.deepInclude(waiting, { attempts: 1, state: "queued" })
    assert.include(waiting?.reason ?? "", "SVC_SMTP_URL")
    await svc.close()
  })
})
