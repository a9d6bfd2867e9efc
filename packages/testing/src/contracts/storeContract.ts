/** What every store must hold, through the surface of the service: for a host's own repositories, and for ours. */
import assert from "node:assert/strict"
import { setImmediate } from "node:timers/promises"
import { isFunction, isOptions, isSwitch, required } from "@svc/core/names"
import { orThrow } from "@svc/embed/composition"
import { type ContractCase, casesOf } from "./ContractCase.ts"
import { inWorld, type OpenStore, type StoreSvc, type StoreWorld } from "./storeWorld.ts"

/** The code of a rejection, `ok` if there is none. */
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "ok",
    (error: unknown) => Object(error).code
  )

const eventsOf = async (svc: StoreSvc) => (await svc.events.list({ limit: 100 })).events

const hire = (svc: StoreSvc) => svc.agents.create({ first_name: "Ada", last_name: "Martin" })

/** Approves a message to a new person, and waits until it is due. */
const approve = async (svc: StoreSvc, name: string) => {
  const { lead_id } = await svc.leads.upsert({ linkedin_url: `https://www.linkedin.com/in/${name}` })
  const { draft } = await svc.linkedin.draft.create({ lead_id, variations: [{ body_text: `Hello ${name}` }] })
  const approved = await svc.linkedin.draft.approve({ draft_id: draft.draft_id })
  while (Date.now() <= Date.parse(approved.draft.updated_at)) await setImmediate()
  return draft.draft_id
}

type Case = (world: StoreWorld) => Promise<void>

const identities: Readonly<Record<string, Case>> = {
  "a person is one lead, by whichever identifier": async ({ own: [svc] }) => {
    const linkedin_url = "https://www.linkedin.com/in/grace"
    const { lead_id } = await svc.leads.upsert({ email: "grace@example.com", linkedin_url, custom_id: "c-1" })
    for (const known of [{ email: "Grace@Example.com" }, { linkedin_url }, { custom_id: "c-1" }]) {
      assert.equal((await svc.leads.upsert(known)).lead_id, lead_id, JSON.stringify(known))
      assert.equal((await svc.leads.get(known)).lead_id, lead_id, JSON.stringify(known))
    }
    const other = await svc.leads.upsert({ email: "ida@example.com" })
    assert.notEqual(other.lead_id, lead_id)
    const conflict = await codeOf(svc.leads.get({ email: "ida@example.com", custom_id: "c-1" }))
    assert.equal(conflict, "IDENTITY_CONFLICT")
  },
  "a person who is added many times at once is one lead": async ({ own }) => {
    for (let round = 0; round < 10; round++) {
      const email = `race-${round}@example.com`
      const added = await Promise.all(
        Array.from({ length: 8 }, (_, n) => own[n % 2 === 0 ? 0 : 1].leads.upsert({ email }))
      )
      assert.equal(new Set(added.map(({ lead_id }) => lead_id)).size, 1)
    }
    assert.equal((await own[0].leads.search({ limit: 100 })).leads.length, 10)
  },
  "texts are stored as they were sent": async ({ own: [svc] }) => {
    const texts = ["Zoë 漢字 👩‍💻 \u{1F600}", "'; drop table leads; -- \\ \" %_", "x".repeat(2_000), "a\nb\tc"]
    for (const one_liner of texts) {
      const { offer } = await svc.offers.create({ name: "Text", value_proposition: one_liner, is_draft: true })
      assert.equal((await svc.offers.get({ offer_id: offer.id })).offer.valueProposition, one_liner)
    }
  },
  "an organization sees nothing of another one": async ({ own: [svc], services: [other] }) => {
    const { lead_id } = await svc.leads.upsert({ email: "mine@example.com" })
    const { offer } = await svc.offers.create({ offer_id: "mine", name: "Mine", is_draft: true })
    const { id: organizationId } = await other.organizations.ensure({ externalId: `${svc.organization.id}-${lead_id}` })
    const stranger = other.as({ organizationId })
    assert.notEqual((await eventsOf(svc)).length, 0)
    assert.equal(await codeOf(stranger.leads.get({ lead_id })), "NOT_FOUND")
    assert.equal(await codeOf(stranger.offers.get({ offer_id: offer.id })), "NOT_FOUND")
    assert.deepEqual([await eventsOf(stranger), (await stranger.leads.search({})).leads], [[], []])
    assert.notEqual((await stranger.leads.upsert({ email: "mine@example.com" })).lead_id, lead_id)
  }
}

const journal: Readonly<Record<string, Case>> = {
  "a retry with the same key takes effect once": async ({ own }) => {
    const offer = { name: "Once", is_draft: true } as const
    const calls = Array.from({ length: 6 }, (_, n) =>
      own[n % 2 === 0 ? 0 : 1].offers.create(offer, { idempotencyKey: "key" })
    )
    const codes = await Promise.all(calls.map(codeOf))
    assert.deepEqual(
      codes.filter((code) => code !== "ok" && code !== "IDEMPOTENCY_IN_PROGRESS"),
      []
    )
    const again = await own[1].offers.create(offer, { idempotencyKey: "key" })
    const { offers } = await own[0].offers.list({})
    assert.deepEqual(
      offers.map(({ id }) => id),
      [again.offer.id]
    )
    const other = own[0].offers.create({ ...offer, name: "Other" }, { idempotencyKey: "key" })
    assert.equal(await codeOf(other), "IDEMPOTENCY_MISMATCH")
  },
  "a command that fails leaves nothing": async ({ own: [svc] }) => {
    assert.equal(await codeOf(svc.offers.failLate()), "NOT_FOUND")
    assert.equal(await codeOf(svc.offers.get({ offer_id: "late" })), "NOT_FOUND")
    const { entries } = await svc.audit.list({ command_id: "offer.fail-late", outcome: "ok" })
    assert.deepEqual([await eventsOf(svc), entries], [[], []])
  },
  "a preview leaves nothing": async ({ own: [svc] }) => {
    const { lead_id } = await svc.leads.upsert({ email: "preview@example.com" }, { dryRun: true })
    assert.equal(await codeOf(svc.leads.get({ lead_id })), "NOT_FOUND")
    assert.deepEqual(await eventsOf(svc), [])
  },
  "events have one order without gaps, in the transaction of their change": async ({ own }) => {
    const added = await Promise.all(
      Array.from({ length: 20 }, (_, n) => own[n % 2 === 0 ? 0 : 1].leads.upsert({ email: `event-${n}@example.com` }))
    )
    const events = await eventsOf(own[1])
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      events.map((_, index) => index + 1)
    )
    const created = events.filter(({ type }) => type === "lead.created").map(({ subject }) => subject.id)
    assert.deepEqual(created.toSorted(), added.map(({ lead_id }) => lead_id).toSorted())
    const { entries } = await own[0].audit.list({ command_id: "lead.upsert", limit: 100 })
    assert.equal(entries.length, 20)
  },
  "pages hold every row once, whatever is added meanwhile": async ({ own: [svc] }) => {
    const names = Array.from({ length: 11 }, (_, n) => `Offer ${n}`)
    for (const name of names) await svc.offers.create({ name, is_draft: true })
    const seen: Array<string> = []
    let cursor: string | undefined
    do {
      const page = await svc.offers.list({ limit: 3, ...(cursor === undefined ? {} : { cursor }) })
      seen.push(...page.offers.map(({ name }) => name))
      cursor = page.next_cursor ?? undefined
      await svc.offers.create({ name: "New", is_draft: true })
    } while (cursor !== undefined)
    assert.deepEqual(seen.toSorted(), names.toSorted())
  }
}

const sending: Readonly<Record<string, Case>> = {
  "a message that one worker sends is not taken by another": async ({ holdSends, own: [svc], sent, services }) => {
    await hire(svc)
    await approve(svc, "held")
    const { reached, release } = holdSends()
    const first = services[0].work()
    await reached
    const second = await services[1].work()
    release()
    assert.deepEqual([(await first).messages, second.messages], [1, 0])
    assert.deepEqual(sent, ["Hello held"])
  },
  "workers share what is due, and every message leaves once": async ({ own: [svc], sent, services }) => {
    await hire(svc)
    for (let n = 0; n < 12; n++) await approve(svc, `shared-${n}`)
    const counts = await Promise.all([services[0].work(), services[1].work()])
    assert.equal(
      counts.reduce((sum, { messages }) => sum + messages, 0),
      12
    )
    assert.equal(new Set(sent).size, 12)
    assert.equal(sent.length, 12)
    assert.equal((await services[1].work()).messages, 0)
  },
  "a draft is approved once, by whoever is first": async ({ own, sent, services }) => {
    await hire(own[0])
    const { lead_id } = await own[0].leads.upsert({ linkedin_url: "https://www.linkedin.com/in/approved" })
    const variations = [{ body_text: "Hello" }]
    const { draft } = await own[0].linkedin.draft.create({ lead_id, variations })
    const { draft_id } = draft
    await Promise.all(own.map((svc) => codeOf(svc.linkedin.draft.approve({ draft_id, send_now: true }))))
    await Promise.all(services.map((svc) => svc.work()))
    assert.deepEqual(sent, ["Hello"])
    assert.equal((await own[1].linkedin.draft.get({ draft_id })).draft.status, "DISPATCHED")
    assert.notEqual(await codeOf(own[0].linkedin.draft.cancel({ draft_id })), "ok")
  }
}

const operators: Readonly<Record<string, Case>> = {
  "an external id names one organization, and its keys act only there": async ({ services }) => {
    const [first, second] = services
    for (let round = 0; round < 10; round++) {
      const externalId = `${process.pid}-${Date.now()}-${round}`
      const made = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          services[n % 2 === 0 ? 0 : 1].organizations.ensure({ externalId, name: "A" })
        )
      )
      const [id = ""] = made.map((organization) => organization.id)
      assert.equal(new Set(made.map((organization) => organization.id)).size, 1)
      assert.equal((await second.organizations.ensure({ externalId, name: "B" })).id, id)
      assert.equal((await first.organizations.ensure({ externalId })).name, "B")
      const { keyId } = await first.keys.issue({ organizationId: id, name: "Key" })
      const { keys } = await second.keys.list({}, { actor: { organizationId: id } })
      assert.deepEqual(
        keys.map(({ key_id }) => key_id),
        [keyId]
      )
    }
  }
}

/** How a store is tested. */
export interface StoreContract {
  /** Opens a service with these options on the store that is tested: `createSvc({ ...options, database, layers })`. */
  readonly open: OpenStore
  /** Whether two services that are opened work on one store, as two processes do; default false. */
  readonly isShared?: boolean
}

const isContract = isOptions<StoreContract>({ open: required(isFunction), isShared: isSwitch })

/**
 * The contract of a store: identities and matching, texts, tenants, idempotency, transactions with events and audit, pages,
 * claims of what is due, drafts, organizations and keys. It says nothing about leases that run out, as stores time them by
 * their own clocks, nor about imports, retention and speed.
 *
 * Each case opens services and works in organizations of its own. Run them one after the other.
 */
export const storeContract = (contract: StoreContract): ReadonlyArray<ContractCase> => {
  orThrow(isContract(contract, "storeContract", true))
  const { isShared = false, open } = contract
  return casesOf({ ...identities, ...journal, ...sending, ...operators }, (test) => inWorld(open, isShared, test))
}
