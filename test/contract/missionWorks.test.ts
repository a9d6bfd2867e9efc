/** What works in missions, on every store: an example by hand, and generated histories that the first store counts from scratch. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { EmailGateway } from "#core/email/EmailGateway.ts"
import { dispatchEmails } from "#core/email/sending/emails.ts"
import { DraftsRepo } from "#core/outreach/DraftsRepo.ts"
import { effort } from "../support/effort.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { type Random, randomOf } from "../support/random.ts"
import { actor, ask, code, ok, statementsOf } from "../support/World.ts"
import { eachOutreach, onDay } from "./outreachWorld.ts"

const bot = Effect.map(CurrentOrganization, (organizationId) => ({
  actor: actor(organizationId, { kind: "AI_AGENT", userId: "usr_bot" })
}))

const prepare = Effect.fnUntraced(function* (...handles: ReadonlyArray<string>) {
  yield* onDay(0)
  const email_accounts = [{ provider: "SMTP", email: "ada@sender.example" }]
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", email_accounts })
  for (const handle of handles) {
    yield* ok("mission.create", { name: handle, handle, agent_handle: "ada-martin", email_review_strategy: "AUTO" })
  }
})

const person = (slug: string) => ({
  linkedin_url: `https://www.linkedin.com/in/${slug}`,
  email: `${slug}@example.com`,
  name: slug
})

const lead = (slug: string) => Effect.map(ok("lead.upsert", person(slug)), ({ lead_id }) => String(lead_id))

/** Makes a draft that of a step. */
const plantStep = Effect.fnUntraced(function* (draftId: string, step: number | undefined) {
  if (step === undefined) return
  const organizationId = yield* CurrentOrganization
  const drafts = yield* DraftsRepo
  const found = yield* drafts.find(organizationId, draftId)
  if (found === undefined) return assert.fail("no draft")
  yield* drafts.save(organizationId, [{ ...found.row, followUp: { step, since: found.row.createdAt } }])
})

const mails = EmailGateway.of({ send: ({ messageId }) => Effect.succeed({ _tag: "Confirmed", messageId }) })

/** Sends the e-mails that are due; those of today are tomorrow. */
const sendMails = Effect.provideService(dispatchEmails(), EmailGateway, mails)

interface Message {
  readonly lead_id: string
  readonly mission_id: string
  readonly variations: ReadonlyArray<string>
  readonly index: number
  readonly step?: number
  readonly model?: string
  readonly isByBot?: boolean
  readonly edit?: string
  readonly invites?: boolean
}

/** Writes and sends; what is refused is so on every store. */
const send = Effect.fnUntraced(function* (message: Message) {
  const { edit, index: variation_index, invites = false, isByBot = false, lead_id, mission_id, model, step } = message
  const { envelope } = yield* ask(
    "linkedin.draft.create",
    {
      lead_id,
      mission_id,
      agent_handle: "ada-martin",
      variations: message.variations,
      replace_open: true,
      ...(model === undefined ? {} : { model })
    },
    isByBot ? yield* bot : {}
  )
  if (!envelope.ok) return envelope.error.code
  const { draft_id } = Object(envelope.data).draft
  yield* plantStep(draft_id, step)
  const words = edit === undefined ? {} : { body_text: edit }
  return yield* code("linkedin.draft.approve", {
    ...{ draft_id, variation_index, ...words },
    ...{ send_now: true, send_invitation: invites }
  })
})

const reply = (lead_id: string) =>
  ok("lead.message.record", { lead_id, channel: "EMAIL", direction: "inbound", content: "Hello" })

const worksOf = (mission_id: string, window: object = {}) =>
  Effect.map(ok("mission.stats", { mission_id, ...window }), ({ stats }) => stats.what_works)

const none = { contacted: 0, invited: 0, sent: 0, accepted: 0, replied: 0, positive: 0 }

/** The groups of one kind as their value and their numbers. */
const shown = (groups: ReadonlyArray<Record<string, unknown>>) =>
  groups.map(({ rates: _, ...group }) =>
    Object.fromEntries(Object.entries(group).filter(([name, value]) => value !== 0 || !Object.hasOwn(none, name)))
  )

eachOutreach("what works in a mission", (layer) =>
  it.layer(layer)((it) => {
    it.effect("is counted by step, variation and writer, of people who were contacted", () =>
      Effect.gen(function* () {
        yield* prepare("one", "other")
        const [ann, ben, cleo] = [yield* lead("ann"), yield* lead("ben"), yield* lead("cleo-2nd")]
        const texts = ["Hello one", "Hello two"]
        const common = { mission_id: "one", variations: texts }
        // Not for the mission.
        yield* ok("lead.message.record", { lead_id: ann, channel: "EMAIL", direction: "outbound", content: "Before" })
        yield* reply(ann)
        yield* ok("lead.status.set", { lead_id: ann, status: "Contacted" })
        yield* onDay(1)
        yield* send({ ...common, lead_id: ann, index: 0, isByBot: true, model: "writer-1" })
        yield* send({ ...common, lead_id: ben, index: 1, isByBot: true, model: "writer-1" })
        yield* send({ ...common, lead_id: cleo, index: 1, invites: true })
        yield* onDay(2)
        yield* send({ ...common, lead_id: ann, index: 1, step: 0, isByBot: true, model: "writer-1", edit: "By hand" })
        yield* onDay(3)
        // To the follow-up, not to the first message.
        yield* reply(ann)
        yield* ok("lead.status.set", { lead_id: ann, status: "Contacted" })
        yield* onDay(4)
        yield* send({ ...common, lead_id: ann, index: 0, step: 1 })
        yield* ok("lead.status.set", { lead_id: ann, status: "MeetingBooked" })
        yield* ok("lead.status.set", { lead_id: ben, status: "Interested" })
        yield* ok("email.send", { lead_id: ben, mission_id: "one", subject: "Hi", body_text: "Hello Ben" })
        yield* onDay(5)
        yield* sendMails
        const { steps, variations, writers } = yield* worksOf("one")
        assert.deepStrictEqual(shown(steps), [
          { step: null, contacted: 2, invited: 1, sent: 3, positive: 1 },
          { step: 1, contacted: 1, sent: 1, replied: 1, positive: 1 },
          { step: 2, contacted: 1, sent: 1 }
        ])
        assert.deepStrictEqual(shown(variations), [
          // Ben is positive without a reply, which counts for the latest message to him.
          { variation_index: null, contacted: 1, sent: 1, positive: 1 },
          { variation_index: 0, contacted: 1, sent: 2 },
          { variation_index: 1, contacted: 2, invited: 1, sent: 2, replied: 1, positive: 1 }
        ])
        assert.deepStrictEqual(shown(writers), [
          { writer: { kind: "AI_AGENT", model: "writer-1" }, contacted: 2, sent: 2 },
          // An edited text is its editor's.
          { writer: { kind: "USER", model: null }, contacted: 2, invited: 1, sent: 3, replied: 1, positive: 2 }
        ])
        assert.deepStrictEqual(steps[1].rates, {
          accepted: null,
          replied: { rate: 1, low: 0.2065, high: 1 },
          positive: { rate: 1, low: 0.2065, high: 1 }
        })
        assert.deepStrictEqual(steps[0].rates, {
          accepted: { rate: 0, low: 0, high: 0.7935 },
          replied: { rate: 0, low: 0, high: 0.6576 },
          positive: { rate: 0.5, low: 0.0945, high: 0.9055 }
        })
        const window = { from: "2026-11-18T00:00:00Z", to: "2026-11-19T00:00:00Z" }
        assert.deepStrictEqual(shown((yield* worksOf("one", window)).steps), [
          { step: 1, contacted: 1, sent: 1, replied: 1, positive: 1 }
        ])
        assert.deepStrictEqual(yield* worksOf("other"), { steps: [], variations: [], writers: [] })
        assert.strictEqual((yield* statementsOf(worksOf("one"))) ?? 1, 1)
        assert.deepStrictEqual({ ...none, ...shown(steps)[2] }, { ...none, step: 2, contacted: 1, sent: 1 })
      }).pipe(inOrganization("org_works"))
    )

    it.effect("counts a message that two drafts were recorded as once, and takes a reply to it", () =>
      Effect.gen(function* () {
        yield* prepare("one")
        const ann = yield* lead("ann")
        for (const [day, index] of [0, 1].entries()) {
          yield* onDay(day + 1)
          yield* send({ lead_id: ann, mission_id: "one", variations: ["Hello one", "Hello two"], index })
        }
        const drafts = yield* DraftsRepo
        const organizationId = yield* CurrentOrganization
        const written: ReadonlyArray<{ readonly draft_id: string }> = (yield* ok("linkedin.draft.list", {})).drafts
        const ids = written.map(({ draft_id }) => draft_id).toSorted()
        const rows = yield* Effect.forEach(ids, (id) => drafts.find(organizationId, id))
        const [first, second] = rows.map((view) => view?.row)
        if (first === undefined || second === undefined) return assert.fail("two drafts were written")
        yield* drafts.save(organizationId, [{ ...second, messageId: first.messageId }])
        yield* onDay(4)
        yield* reply(ann)
        assert.deepStrictEqual(shown((yield* worksOf("one")).variations), [
          { variation_index: 0, contacted: 1, sent: 1, replied: 1 }
        ])
      }).pipe(inOrganization("org_works_twice"))
    )

    it.effect("is what generated histories say, on every store", () =>
      Effect.gen(function* () {
        const seen = new Set<string>()
        for (let seed = 1; seed <= Math.max(2, effort(6)); seed++) {
          const found = yield* worksAfter(seed).pipe(inOrganization(`org_works_${seed}`))
          const expected = first.get(seed) ?? found
          first.set(seed, expected)
          assert.deepStrictEqual(found, expected, `seed ${seed}`)
          for (const verdict of found.verdicts) seen.add(verdict)
        }
        for (const name of ["send", "email", "reply", "status", "merge", "remove", "update", "erase"]) {
          assert.isTrue(seen.has(`${name} ok`), name)
        }
      })
    )
  })
)

const people = ["adam", "bea", "carl", "dana-2nd", "emil-2nd", "fay-2nd"]
const missions = ["one", "two"]
const first = new Map<number, Effect.Success<ReturnType<typeof worksAfter>>>()

/** Something that happens to a person. */
const happening = Effect.fnUntraced(function* ({ next, pick }: Random) {
  const linkedin_url = `https://www.linkedin.com/in/${pick(people)}`
  const [mission_id, status] = [
    pick(missions),
    pick(["Interested", "MeetingBooked", "NotInterested", "Contacted", "DoNotContact"])
  ]
  const other = `https://www.linkedin.com/in/${pick(people)}`
  const count = 1 + next(3)
  const message = {
    mission_id,
    variations: ["Hello one", "Hello two", "Hello three"].slice(0, count),
    index: next(count),
    isByBot: next(2) === 0,
    invites: next(2) === 0,
    ...(next(2) === 0 ? { step: next(3) } : {}),
    ...(next(2) === 0 ? { model: pick(["writer-1", "writer-2 large"]) } : {}),
    ...(next(4) === 0 ? { edit: "Edited" } : {})
  }
  const kind = next(40)
  const found = (url: string) =>
    Effect.map(ask("lead.get", { linkedin_url: url }), ({ envelope }) =>
      envelope.ok ? Object(envelope.data) : { lead_id: "none" }
    )
  const { lead_id, prospect_context } = yield* found(linkedin_url)
  if (kind < 16) return `send ${yield* send({ ...message, lead_id })}`
  if (kind < 21) {
    return `email ${yield* code("email.send", { lead_id, mission_id, subject: "Hi", body_text: "Hello" })}`
  }
  if (kind < 27) {
    const inbound = { lead_id, channel: "EMAIL", direction: "inbound", content: "Hello" }
    return `reply ${yield* code("lead.message.record", inbound)}`
  }
  if (kind < 31) return `status ${yield* code("lead.status.set", { lead_id, status })}`
  if (kind < 34) {
    const loser = (yield* found(other)).lead_id
    return `merge ${yield* code("lead.merge", { winner_lead_id: lead_id, loser_lead_ids: [loser] })}`
  }
  if (kind < 35) return `remove ${yield* code("lead.mission.remove", { mission_id, lead_ids: [lead_id] })}`
  if (kind < 39) {
    const draft_id = prospect_context?.open_draft?.draft_id ?? "none"
    return `update ${yield* code("linkedin.draft.update", { draft_id, variations: ["Changed"] }, yield* bot)}`
  }
  return `erase ${yield* code("lead.erase", { lead_id, confirm: lead_id })}`
})

const worksAfter = Effect.fnUntraced(function* (seed: number) {
  const random = randomOf(seed)
  yield* prepare(...missions)
  const verdicts: Array<string> = []
  for (let day = 0; day < 6; day++) {
    yield* onDay(day)
    yield* sendMails
    for (const slug of people) {
      // Those who were erased stay out.
      const isAdded = random.next(3) === 0
      const mission_id = random.pick(missions)
      if (isAdded) yield* code("lead.upsert", { ...person(slug), mission_id })
    }
    for (let step = 0; step < 14; step++) verdicts.push(yield* happening(random))
  }
  yield* onDay(6)
  yield* sendMails
  const windows = [{}, { from: "2026-11-18T00:00:00Z", to: "2026-11-20T00:00:00Z" }]
  const works: Array<unknown> = []
  for (const mission_id of missions) {
    for (const window of windows) works.push(yield* worksOf(mission_id, window))
  }
  return { verdicts, works }
})
