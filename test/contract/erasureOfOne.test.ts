/** Of two people who are alike in everything but who they are, erasing one removes that one and nothing of the other. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { type ImportRow, noCounts } from "#core/imports/ImportRun.ts"
import { ImportsRepo } from "#core/imports/ImportsRepo.ts"
import { Journal } from "#core/kernel/journal/Journal.ts"
import { PrivacyRepo } from "#core/leads/privacy/PrivacyRepo.ts"
import { effort } from "../support/effort.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { ask, code, lead, ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

/** Who somebody is. */
interface Who {
  readonly custom_id: string
  readonly email: string
  readonly slug: string
  readonly member: string
}

/** Ids of whom one is a part of the other, or that say something else elsewhere. */
const longer = (short: fc.Arbitrary<string>, glue: fc.Arbitrary<string>) =>
  fc
    .tuple(short, glue, short, fc.boolean())
    .map(([text, between, more, isBefore]) => [
      text,
      isBefore ? `${more}${between}${text}` : `${text}${between}${more}`
    ])

const word = fc.stringMatching(/^[a-z]{1,4}$/)
const pairs = fc
  .tuple(
    longer(fc.stringMatching(/^[1-9]$/), fc.constant("")),
    longer(word, fc.constantFrom("", ".", "+", "-", "_")),
    longer(word, fc.constantFrom("", "-")),
    longer(fc.stringMatching(/^[1-9][0-9]{2,4}$/), fc.constant("")),
    fc.boolean()
  )
  .map(([custom, local, slug, member, isShortErased]): readonly [Who, Who] => {
    const [a, b] = [0, 1].map((n) => ({
      custom_id: custom[n] ?? "",
      email: `${local[n]}@example.com`,
      slug: slug[n] ?? "",
      member: member[n] ?? ""
    }))
    if (a === undefined || b === undefined) throw new Error("there are two")
    return isShortErased ? [a, b] : [b, a]
  })

/** The spellings in which a caller may name somebody. */
const spellings = ({ custom_id, email, member, slug }: Who): ReadonlyArray<Record<string, string>> => [
  { custom_id },
  { customId: ` ${custom_id} ` },
  { email: `Somebody <mailto:${email.toUpperCase()}>` },
  { text: `Please ask (${email}), or ${email}.` },
  { linkedin_url: `linkedin.com/in/${slug}/?x=1` },
  { text: `See https://www.LinkedIn.com/in/${slug}, thanks` },
  { linkedin_id: member },
  { sales_nav_id: "", linkedinId: `urn:li:member:${member}` }
]

/** What names neither of them, though it looks like it. */
const neither = ({ custom_id, slug }: Who): ReadonlyArray<Record<string, string>> => [
  { company_size: custom_id, score: custom_id, text: `Item ${custom_id} of ${slug}` },
  { name: "Same Name", company: slug }
]

const columns = ["ID", "E-mail", "Profile", "Number"]
const file = {
  columns: columns.map((name, index) => ({ name, field: ["custom_id", "email", "linkedin_url", null][index] ?? null })),
  delimiter: ","
}

const rowsOf = ({ custom_id, email, slug }: Who): ReadonlyArray<Readonly<Record<string, string>>> => [
  { ID: custom_id, "E-mail": "", Profile: "", Number: "0" },
  { ID: "", "E-mail": email, Profile: "", Number: "0" },
  { ID: "", "E-mail": "", Profile: `https://linkedin.com/in/${slug}`, Number: "0" }
]

const strangersRows = ({ custom_id }: Who): ReadonlyArray<Readonly<Record<string, string>>> => [
  { ID: "stranger", "E-mail": "", Profile: "", Number: custom_id }
]

/** Keeps requests for approval; each answers its id again for as long as it is kept. */
const asks = (about: string, inputs: ReadonlyArray<Record<string, string>>) =>
  Effect.gen(function* () {
    const organizationId = yield* CurrentOrganization
    const journal = yield* Journal
    return yield* Effect.forEach(inputs, (input, index) =>
      journal.requestApproval({
        id: `apr_${about}_${index}_${Math.random()}`,
        organizationId,
        commandId: "lead.upsert",
        commandHash: `${about} ${index}`,
        input,
        precondition: null,
        requestedBy: { kind: "AI_AGENT", userId: "usr_1", keyId: null },
        createdAt: "2026-11-21T08:00:00.000Z",
        expiresAt: "2126-11-21T08:00:00.000Z",
        mailTo: []
      })
    )
  })

const known = ({ custom_id, email, member, slug }: Who) => ({
  custom_id,
  email,
  linkedin_url: `linkedin.com/in/${slug}`,
  linkedin_id: `urn:li:member:${member}`,
  name: "Same Name",
  company: "Same Company",
  mission_handle: "spring"
})

/** A person with records of every kind. */
const person = Effect.fnUntraced(function* (who: Who, about: string) {
  const lead_id = yield* lead(known(who), { options: { idempotencyKey: `upsert ${about}` } })
  const note = yield* ok("lead.note.add", { lead_id, text: "Same" }, { options: { idempotencyKey: `note ${about}` } })
  yield* ok("lead.message.record", { lead_id, channel: "EMAIL", direction: "inbound", content: "Same words" })
  yield* ok("linkedin.draft.create", { lead_id, agent_handle: "ada-martin", variations: ["Same"] })
  return { lead_id, note, approvals: yield* asks(about, spellings(who)) }
})

const cells = Effect.gen(function* () {
  const organizationId = yield* CurrentOrganization
  const page = { limit: 100, after: undefined }
  const { items } = yield* (yield* ImportsRepo).rows(organizationId, "imp_1", undefined, page)
  return items.map(({ source }) => source)
})

const refusedRows = Effect.fnUntraced(function* (sources: ReadonlyArray<ImportRow["source"]>) {
  const organizationId = yield* CurrentOrganization
  const { mission } = yield* ok("mission.create", { name: "Rows", handle: "rows", agent_handle: "ada-martin" })
  const at = "2026-11-21T08:00:00.000Z"
  const imports = yield* ImportsRepo
  yield* imports.insert({
    id: "imp_1",
    organizationId,
    missionId: mission.id,
    type: "CSV",
    name: "People",
    fingerprint: null,
    sourceUrl: null,
    context: null,
    state: "running",
    reason: null,
    counts: noCounts,
    enrolled: 0,
    cursor: null,
    accountId: null,
    defaults: {},
    file,
    rowLimit: null,
    attempt: 1,
    createdAt: at,
    updatedAt: at,
    finishedAt: null,
    rowsDeletedAt: null
  })
  const rows = sources.map((source, position) => ({
    importId: "imp_1",
    position,
    outcome: "invalid" as const,
    reason: "INVALID_INPUT",
    leadId: null,
    source
  }))
  const to = { cursor: null, state: "completed" as const, reason: null, at }
  yield* imports.advance({ organizationId, importId: "imp_1", attempt: 1, rows, ...to })
})

eachBackend("erasure of one of two", (layer) =>
  it.layer(layer)((it) => {
    it.effect.each(fc.sample(pairs, { numRuns: effort(12), seed: 20261121 }))("%j", (pair) => {
      const [gone, stays] = pair
      return Effect.gen(function* () {
        const organizationId = yield* CurrentOrganization
        yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
        yield* ok("mission.create", { name: "Spring", handle: "spring", agent_handle: "ada-martin" })
        const a = yield* person(gone, "gone")
        const b = yield* person(stays, "stays")
        const strangers = yield* asks("neither", neither(gone))
        yield* refusedRows([...rowsOf(gone), ...rowsOf(stays), ...strangersRows(gone)])
        const file = yield* (yield* PrivacyRepo).readFile(organizationId, b.lead_id)

        yield* ok("lead.erase", { lead_id: a.lead_id, confirm: a.lead_id })

        assert.deepStrictEqual(yield* (yield* PrivacyRepo).readFile(organizationId, b.lead_id), file)
        assert.deepStrictEqual(yield* asks("stays", spellings(stays)), b.approvals)
        assert.deepStrictEqual(yield* asks("neither", neither(gone)), strangers)
        const asked = yield* asks("gone", spellings(gone))
        for (const [index, id] of asked.entries()) {
          assert.notInclude(a.approvals, id, JSON.stringify(spellings(gone)[index]))
        }
        const none = rowsOf(gone).map(() => null)
        assert.deepStrictEqual(yield* cells, [...none, ...rowsOf(stays), ...strangersRows(gone)])
        const again = { lead_id: b.lead_id, text: "Same" }
        assert.deepStrictEqual(
          yield* ok("lead.note.add", again, { options: { idempotencyKey: "note stays" } }),
          b.note,
          "the stored answer"
        )
        const replayed = yield* ask("lead.upsert", known(stays), { options: { idempotencyKey: "upsert stays" } })
        assert.isTrue(replayed.envelope.ok)
        assert.deepStrictEqual(yield* (yield* PrivacyRepo).readFile(organizationId, b.lead_id), file)
        assert.strictEqual(
          yield* code("lead.upsert", known(gone), { options: { idempotencyKey: "upsert gone" } }),
          "LEAD_SUPPRESSED"
        )
      }).pipe(inOrganization(`org_${gone.custom_id}_${gone.slug}_${gone.member}_${stays.slug}`))
    })
  })
)
