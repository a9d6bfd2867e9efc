/**
 * A mark in every text of every command's input, aimed at one person, who is then erased: no mark of the person is left in any
 * row of the store, in whatever encoding, nor comes back with any later command; what others wrote about others stays.
 */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import type { Envelope } from "#core/kernel/command/Envelope.ts"
import { settleUnknown } from "#core/outreach/OutreachWorker.ts"
import { verifyAudit } from "#core/workspace/audit/verifyAudit.ts"
import * as SimulatedEmail from "#memory/simulator/SimulatedEmail.ts"
import { eachBackendWith } from "../contract/backends.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { propertiesOf } from "../support/schemaArbitrary.ts"
import { ask, catalog } from "../support/World.ts"
import { caller, deliver, scenario } from "./plantedScenario.ts"
import { type Planted, textPlaces } from "./plantedTexts.ts"
import { dumpOf, type StoreDump } from "./storeDump.ts"

/** Texts about the workspace, a file or a search, which stay; every other text is about the person. */
const aboutOthers =
  /^(agent|offer|mission|webhook|policy|key|lead\.(field|filter))\.|^import\.\S+ (name|context|source|url|keywords)$|^lead\.(suppress|suppression\.lift) domain$|^lead\.erase reason$/

/**
 * Places that no call of the scenario reaches: the reason of a decision is stored as that of `approval.resolve`, an inbox is that
 * of an agent, and a step that of a mission.
 */
const untried = [
  "lead.erase reason",
  ...["host", "user", "folders[]"].map((field) => `email.mailbox.connect-inbox ${field}`),
  ...["purpose", "evidence"].map((field) => `mission.steps.set steps[].${field}`),
  "approval.answer reason"
]

/** The tables that hold a text. */
const holders = (dump: StoreDump, { mark }: Planted) =>
  [...dump].flatMap(([table, rows]) => (rows.includes(mark) ? [table] : []))

const prefixes: Readonly<Record<string, ReadonlyArray<string>>> = {
  lead_id: ["ld"],
  mission_id: ["mis"],
  draft_id: ["drf"],
  import_id: ["imp"],
  email_id: ["eml"],
  approval_request_id: ["apr"],
  webhook_id: ["whk"],
  item_id: ["apr", "drf", "eml", "inv", "que"],
  id: ["ld", "mis", "drf", "imp", "apr"]
}

/** What every command that reads returns, with nothing named, and with each record that `texts` name. */
const reads = (texts: string) =>
  Effect.forEach(
    catalog.commands.filter(({ outward, risk }) => risk === "read" && !outward),
    Effect.fnUntraced(function* (command) {
      const names = propertiesOf(describeWithSchemas(command).input_schema).map(([name]) => name)
      const inputs = names.flatMap((name) =>
        (prefixes[name] ?? []).flatMap((prefix) =>
          [...new Set(texts.match(new RegExp(`\\b${prefix}_[0-9A-Z]{26}`, "g")))]
            .slice(0, 8)
            .map((id) => ({ [name]: id }))
        )
      )
      return yield* Effect.forEach([{}, ...inputs], (input) =>
        Effect.map(ask(command.id, input), ({ envelope }) => ({
          what: `${command.id} ${JSON.stringify(input)}`,
          envelope
        }))
      )
    })
  ).pipe(Effect.map((all) => all.flat()))

interface Said {
  readonly what: string
  readonly envelope: Envelope<unknown>
}

/** The marks of the person that a store or responses hold, with where. */
const found = (theirs: ReadonlyArray<Planted>, dump: StoreDump, said: ReadonlyArray<Said> = []) => {
  const texts = said.map(({ envelope, what }) => [what, JSON.stringify(envelope)] as const)
  return theirs.flatMap((one) => {
    const places = [...holders(dump, one), ...texts.flatMap(([what, text]) => (text.includes(one.mark) ? [what] : []))]
    return places.length === 0 ? [] : [`${one.place} ${one.mark}: ${places.slice(0, 5).join(", ")}`]
  })
}

eachBackendWith({ email: SimulatedEmail.layer })("texts about a person", (layer) =>
  it.layer(layer)((it) => {
    it.effect(
      "are exported, erased with the person wherever they were planted, and do not come back",
      () =>
        Effect.gen(function* () {
          const organizationId = yield* CurrentOrganization
          const { accepted, again, calls, mark, planted, refusals, run, ...planter } = yield* caller
          const lead_id = yield* scenario(run, { ...planter, mark }, organizationId)
          const missing = textPlaces.filter((place) => !accepted.has(place))
          assert.deepStrictEqual(missing, untried, `planted nowhere\n${refusals.join("\n")}`)

          const before = yield* dumpOf
          const held = planted.filter((one) => holders(before, one).length > 0)
          const theirs = held.filter(({ isOthers, place }) => !isOthers && !aboutOthers.test(place))
          assert.isAbove(theirs.length, 250)
          const { responses, ...records } = (yield* run("lead.export", { lead_id })).export
          const [own, copies] = [JSON.stringify(records), JSON.stringify(responses)]
          // Responses and deliveries are copies that go before the records do, which say everything else that is held.
          const isCopy = (one: Planted) => holders(before, one).every((table) => /^(idempotency|webhook_)/.test(table))
          const unshown = theirs.filter((one) => !(isCopy(one) ? copies : own).includes(one.mark))
          assert.deepStrictEqual(unshown, [], "erasing removes more than the export shows")

          const reason = `Requested ${mark("lead.erase reason", true)}`
          const { erased } = yield* run("lead.erase", { lead_id, confirm: lead_id, reason })
          assert.strictEqual(erased?.length, 3, refusals.at(-1))
          const after = yield* dumpOf
          assert.deepStrictEqual(found(theirs, after), [], "left in the store")
          const gone = held.filter((one) => !theirs.includes(one) && holders(after, one).length === 0)
          // A request with a file that names the person is deleted with what it says of others.
          const kept = gone.filter(({ place }) => !place.startsWith("import.csv "))
          assert.deepStrictEqual(kept, [], "erased though it is not about the person")

          // Retries with the same keys, the same again without them, and everything that works on its own.
          const lifting = (command: string) => command === "lead.suppression.lift"
          const later = calls
            .filter(({ by }) => by === "person")
            .map(({ input, ...call }) => {
              const again = call.command === "import.csv" ? { again: true } : {}
              return { ...call, key: `later-${call.key}`, input: { ...input, ...again } }
            })
          const said: Array<Said> = []
          for (const call of [...calls, ...later].filter(({ command }) => !lifting(command))) {
            said.push({ what: `${call.command} ${call.key}`, envelope: yield* again(call) })
          }
          yield* deliver(organizationId)
          yield* settleUnknown({ organizationId })
          const known = [...before.values()].join("\n").toUpperCase()
          for (const import_id of new Set(known.match(/IMP_[0-9A-Z]{26}/g))) {
            yield* run("import.undo", { import_id: import_id.replace("IMP", "imp") })
          }
          for (const key_id of ["agentaaaaaaa", "personaaaaaa"]) {
            yield* run("agent-run.undo", { key_id, since: "1970-01-01T00:00:00Z" })
          }
          said.push(...(yield* reads(JSON.stringify([said, lead_id]))))
          const last = yield* dumpOf
          assert.deepStrictEqual(found(theirs, last, said), [], "came back")

          const audit = [...last].filter(([table]) => table.startsWith("audit")).map(([, rows]) => rows)
          assert.notMatch(audit.join(), /zqm\d{4}k/, "audit rows hold ids only")
          const verdict = yield* verifyAudit(organizationId)
          assert.isTrue(verdict.ok, JSON.stringify(verdict))
        }).pipe(inOrganization("org_planted")),
      120_000
    )
  })
)
