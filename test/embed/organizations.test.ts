/** A host's customers are organizations of one service. */

import { EventEmitter, once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { scopes } from "#core/kernel/command/Permission.ts"
import { createSvc } from "#embed/createSvc.ts"
import type { Svc } from "#embed/Svc.ts"
import { SvcError } from "../../packages/client/src/SvcError.ts"

const caught = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => assert.fail("it was not refused"),
    (error: unknown) => (error instanceof SvcError ? `${error.code} ${error.message}` : `no SvcError: ${String(error)}`)
  )

/** A host whose sessions say company and user. */
const host = async () => {
  const svc: Svc = await createSvc({
    databaseUrl: "memory:",
    env: false,
    worker: false,
    defaultScopes: scopes,
    auth: [
      "keys",
      async ({ headers }) => {
        const { "x-company": externalId, "x-user": userId } = headers
        if (externalId === undefined || userId === undefined) return undefined
        return {
          organizationId: (await svc.organizations.ensure({ externalId, name: `${externalId} Ltd` })).id,
          userId
        }
      }
    ]
  })
  const me = async (headers: Readonly<Record<string, string>>) => {
    const response = await svc.fetch(new Request("http://host/api/v1/me", { headers }))
    return response.status === 200 ? Object(await response.json()).data : response.status
  }
  return { svc, me }
}

describe("organizations of a host", () => {
  it("are created by the first request of a customer, by callerOf and ensure", async () => {
    const { me, svc } = await host()
    const ada = await me({ "x-company": "acme", "x-user": "ada" })
    const bob = await me({ "x-company": "acme", "x-user": "bob" })
    const eve = await me({ "x-company": "evil", "x-user": "ada" })
    assert.strictEqual(ada.organization_id, bob.organization_id)
    assert.notStrictEqual(ada.organization_id, eve.organization_id)
    const acme = await svc.organizations.ensure({ externalId: "acme" })
    assert.deepStrictEqual(acme, { id: ada.organization_id, name: "acme Ltd" })
    const asAcme = svc.as({ organizationId: acme.id })
    await asAcme.leads.upsert({ email: "ada@example.com" })
    assert.lengthOf((await asAcme.leads.search({})).leads, 1)
    assert.lengthOf((await svc.leads.search({}, { actor: { organizationId: eve.organization_id } })).leads, 0)
    await svc.close()
  })

  it("are asked for again later where the store is away: 503, and 500 for a mistake of the host", async () => {
    const steps = new EventEmitter()
    let isWrong = true
    const svc: Svc = await createSvc({
      databaseUrl: "memory:",
      env: false,
      worker: false,
      settings: { logLevel: "none" },
      callerOf: async () => {
        if (isWrong) return { organizationId: (await svc.organizations.ensure({ externalId: "" })).id }
        const closing = once(steps, "closing")
        steps.emit("asked")
        await closing
        return { organizationId: (await svc.organizations.ensure({ externalId: "acme" })).id }
      }
    })
    const ask = async () => (await svc.fetch(new Request("http://host/api/v1/me"))).status
    assert.strictEqual(await ask(), 500)
    isWrong = false
    const asked = once(steps, "asked")
    const late = ask()
    await asked
    const closed = svc.close()
    steps.emit("closing")
    assert.strictEqual(await late, 503)
    await closed
  })

  it("get keys that work over HTTP, and that cannot do what an operator does", async () => {
    const { me, svc } = await host()
    const { id: organizationId } = await svc.organizations.ensure({ externalId: "acme" })
    const issued = await svc.keys.issue({ organizationId, userId: "ada", name: "CRM", scopes: ["admin"] })
    const authorization = `Bearer ${issued.apiKey}`
    assert.deepInclude(await me({ authorization }), {
      organization_id: organizationId,
      user_id: "ada",
      key_id: issued.keyId
    })
    for (const id of ["organizations.ensure", "organization.ensure", "keys.issue", "key.issue"]) {
      const headers = { authorization, "content-type": "application/json" }
      const asked = { method: "POST", headers, body: JSON.stringify({ externalId: "other", name: "x" }) }
      assert.strictEqual((await svc.fetch(new Request(`http://host/api/v1/commands/${id}`, asked))).status, 404, id)
    }
    const { keys } = await svc.keys.list({}, { actor: { organizationId } })
    assert.deepStrictEqual(
      keys.map(({ key_id }) => key_id),
      [issued.keyId]
    )
    assert.notInclude(JSON.stringify(keys), issued.apiKey.slice(22, 60))
    await svc.close()
  })

  it("are refused as everything else is: bad input by its field, and after the end", async () => {
    const { svc } = await host()
    assert.match(await caught(svc.organizations.ensure({ externalId: "" })), /^INVALID_INPUT .*externalId/)
    assert.match(await caught(svc.keys.issue({ organizationId: "org_none", name: "x" })), /^NOT_FOUND .*org_none/)
    await svc.close()
    assert.match(await caught(svc.organizations.ensure({ externalId: "late" })), /^UNAVAILABLE /)
    assert.match(await caught(svc.keys.issue({ organizationId: "org_none", name: "x" })), /^UNAVAILABLE /)
  })
})
