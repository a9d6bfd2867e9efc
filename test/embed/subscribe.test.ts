/** Events in a host program: at least once, in order, from any process, until the end. */

import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { createSvc } from "#embed/createSvc.ts"
import type { Svc } from "#embed/Svc.ts"
import type { SvcEvent } from "#embed/subscribe.ts"

const email = (index: number) => `person-${index}@example.com`

describe("svc.events.subscribe", () => {
  let svc: Svc
  beforeEach(async () => {
    svc = await createSvc({ databaseUrl: "memory:", worker: false, env: false })
  })
  afterEach(() => svc.close())

  const seen: Array<SvcEvent> = []
  const until = (condition: () => boolean) =>
    vi.waitFor(() => assert.isTrue(condition()), { timeout: 120_000, interval: 5 })

  it("hands out what happened and what happens, each once and in order, of the types that are asked for", async () => {
    const events: Array<SvcEvent> = []
    for (let index = 0; index < 150; index++) await svc.leads.upsert({ email: email(index) })
    const subscription = svc.events.subscribe({ types: ["lead.created"] }, (event) => void events.push(event))
    await until(() => events.length === 150)
    await svc.offers.create({ name: "Not asked for", is_draft: true })
    await svc.leads.upsert({ email: email(150) })
    await until(() => events.length === 151)
    await subscription.unsubscribe()
    await svc.leads.upsert({ email: email(151) })
    assert.lengthOf(events, 151)
    const numbers = events.map(({ sequence }) => sequence)
    assert.deepStrictEqual(
      numbers,
      [...new Set(numbers)].toSorted((a, b) => a - b)
    )
    assert.isTrue(events.every(({ type }) => type === "lead.created"))
  })

  it("hands an event out again until its handler succeeds, and no later one before it", async () => {
    await svc.leads.upsert({ email: email(1) })
    await svc.leads.upsert({ email: email(2) })
    const handled: Array<string> = []
    let failures = 2
    svc.events.subscribe({ types: ["lead.created"] }, ({ subject }) => {
      if (failures-- > 0) throw new Error("not now")
      handled.push(subject.id)
    })
    await until(() => handled.length === 2)
    assert.lengthOf(new Set(handled), 2)
    assert.isBelow(failures, 0)
  })

  it("resumes after a cursor", async () => {
    seen.length = 0
    for (const index of [1, 2, 3]) await svc.leads.upsert({ email: email(index) })
    const { events } = await svc.events.list({ types: "lead.created" })
    const subscription = svc.events.subscribe(
      { types: ["lead.created"], after: events[1]?.sequence ?? 0 },
      (event) => void seen.push(event)
    )
    await until(() => seen.length === 1)
    assert.strictEqual(seen[0]?.id, events[2]?.id)
    await subscription.unsubscribe()
  })

  it("shows nothing of another organization, and ends with a reason where it may not read", async () => {
    const { organizationId } = await svc.createOrganization("Other")
    await svc.leads.upsert({ email: email(1) })
    const other = svc.as({ organizationId })
    const foreign: Array<SvcEvent> = []
    other.events.subscribe({}, (event) => void foreign.push(event))
    await other.leads.upsert({ email: email(2) })
    await until(() => foreign.some(({ type }) => type === "lead.created"))
    assert.isTrue(foreign.every(({ organization_id }) => organization_id === organizationId))
    const refused = svc.as({ scopes: ["offers:read"] }).events.subscribe({}, () => {})
    const reason = await refused.ended.then(
      () => "none",
      ({ code }) => code
    )
    assert.strictEqual(reason, "FORBIDDEN_SCOPE")
  })

  it("ends with the service", async () => {
    const subscription = svc.events.subscribe({}, () => {})
    await svc.close()
    await subscription.ended
  })
})
