/** `svc simulate accept` and `bounce`: what the simulated providers are told, and what follows. */
import { assert, describe, it } from "@effect/vitest"
import { svcInProcess as svc } from "../support/svcInProcess.ts"
import { oneJson, startSvc } from "../support/svcProcess.ts"

/** Runs a command line that must succeed; returns its data. */
const succeeding =
  (env: Record<string, string>) =>
  async (...args: ReadonlyArray<string>) => {
    const ran = await svc([...args, "--json"], { env })
    assert.strictEqual(ran.code, 0, `${args.join(" ")}: ${ran.stdout}`)
    return Object(oneJson(ran)).data
  }

describe("svc simulate", () => {
  it("lets a lead accept an invitation, after which what waited for it is sent", async () => {
    const own = await startSvc(["dev"], {
      env: {
        SVC_DATABASE_URL: "memory:",
        SVC_RATE_LIMIT: "0",
        SVC_SEND_HOLD_SECONDS: "0",
        SVC_SIMULATOR_ACCEPT_SECONDS: "86400",
        SVC_LINKEDIN_PACING: "off"
      }
    })
    const env = { SVC_BASE_URL: own.url, SVC_API_KEY: String(own.ready["api_key"]) }
    const ok = succeeding(env)
    await ok("agent", "create", "--first-name", "Ada", "--last-name", "Martin")
    const profile = "https://www.linkedin.com/in/zoe-2nd"
    await ok("lead", "upsert", "--linkedin-url", profile, "--name", "Zoe Second")
    const none = await svc(["simulate", "accept", profile, "--json"], { env })
    assert.strictEqual(none.code, 5)
    assert.include(none.stdout, "No invitation to this lead is waiting")
    const draft = await ok(
      ...["linkedin", "draft", "create", "--input-json"],
      JSON.stringify({ linkedin_url: profile, agent_handle: "ada-martin", variations: ["Hello Zoe"] })
    )
    const { draft_id } = draft.draft
    await ok("linkedin", "draft", "approve", draft_id, "--send-now", "--send-invitation")
    assert.deepInclude(await ok("simulate", "accept", profile), { event: "accepted" })
    let status = ""
    while (status !== "DISPATCHED") status = (await ok("linkedin", "draft", "get", draft_id)).draft.status
    const { events } = await ok("event", "list")
    const types = events.map(({ type }: { type: string }) => type)
    assert.includeMembers(types, ["invitation.sent", "invitation.accepted", "draft.dispatched"])
    const stranger = { event: "accepted", lead_id: "ld_none" }
    const unknown = await svc(["api", "POST", "/api/v1/simulator/events", "--input-json", JSON.stringify(stranger)], {
      env
    })
    assert.strictEqual(unknown.code, 4)
    await own.stop()
  })

  it("lets an email address bounce, as a mail server that refuses it", async () => {
    const own = await startSvc(["dev"], {
      env: {
        SVC_DATABASE_URL: "memory:",
        SVC_RATE_LIMIT: "0",
        SVC_SEND_HOLD_SECONDS: "0",
        // Else it would wait for the agent's working hours.
        SVC_LINKEDIN_PACING: "off"
      }
    })
    const env = { SVC_BASE_URL: own.url, SVC_API_KEY: String(own.ready["api_key"]) }
    const ok = succeeding(env)
    const persona = {
      first_name: "Ben",
      last_name: "Berg",
      email_accounts: [{ provider: "SMTP", email: "ben@x.example" }]
    }
    await ok("agent", "create", "--input-json", JSON.stringify(persona))
    await ok("mission", "create", "--name", "Mails", "--handle", "mails", "--agent-handle", "ben-berg")
    const email = ["--mission-id", "mails", "--subject", "Hello", "--body-text", "Hello"]
    for (const [address, state] of [
      ["bounces@example.com", "failed"],
      ["arrives@example.com", "sent"]
    ] as const) {
      const { lead_id } = await ok("lead", "upsert", "--email", address, "--name", "Some Body")
      if (state === "failed") assert.deepInclude(await ok("simulate", "bounce", address), { email: address })
      const sent = await ok("email", "send", "--lead-id", lead_id, ...email)
      let found = sent.email
      while (found.state === "queued" || found.state === "sending") {
        found = (await ok("email", "list")).emails.find(
          ({ email_id }: { email_id: string }) => email_id === found.email_id
        )
      }
      assert.strictEqual(found.state, state)
      assert.strictEqual(found.reason, state === "failed" ? "Simulated: the address bounces." : null)
    }
    await own.stop()
  })
})
