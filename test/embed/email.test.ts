/** E-mail through the whole service: written by a host, sent by the worker over SMTP, or not at all. */
import { assert, describe, it } from "@effect/vitest"
import { SMTPServer } from "smtp-server"
import * as ManualGateway from "#core/outreach/provider/ManualGateway.ts"
import { createSvc } from "#embed/createSvc.ts"
import type { Svc } from "#embed/Svc.ts"

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

const until = async <A>(read: () => Promise<A>, done: (value: A) => boolean): Promise<A> => {
  for (let tries = 0; tries < 300; tries++) {
    const value = await read()
    if (done(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error("it did not happen in time")
}

const withEnvironment = async (variables: Readonly<Record<string, string>>, use: () => Promise<void>) => {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  try {
    await use()
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

/** Neither time to change one's mind nor working hours. */
const atOnce = { SVC_SEND_HOLD_SECONDS: "0", SVC_LINKEDIN_PACING: "off" }

describe("e-mail of a host program", { timeout: 60_000 }, () => {
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
    await withEnvironment({ ...atOnce, SVC_SMTP_URL: `smtp://127.0.0.1:${port}` }, async () => {
      const svc = await createSvc({ databaseUrl: "memory:" })
      const state = await write(svc)
      const sent = await until(state, (email) => email?.state === "sent")
      assert.deepInclude(sent, { attempts: 1 })
      await svc.close()
    })
    assert.deepStrictEqual(got, ["grace@example.com"])
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })

  it("waits, and says why, where nothing is simulated and no server is set", async () => {
    await withEnvironment(atOnce, async () => {
      const svc = await createSvc({ databaseUrl: "memory:", gateway: ManualGateway.layer })
      const state = await write(svc)
      const waiting = await until(state, (email) => email?.attempts === 1 && email.state === "queued")
      assert.include(waiting?.reason ?? "", "SVC_SMTP_URL")
      await svc.close()
    })
  })
})
