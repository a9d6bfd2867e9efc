/**
 * Deleting a mission, an agent, an offer, an import or a lead, while any other table refers to it: it is refused and says why, or
 * nothing of it is left but history.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { dispatchEmails } from "#core/email/sending/emails.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import * as SimulatedEmail from "#memory/simulator/SimulatedEmail.ts"
import { plainDump } from "../generated/storeDump.ts"
import { hasPostgres } from "../support/backends.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import * as World from "../support/World.ts"
import { ask, lead, ok } from "../support/World.ts"
import { eachBackendWith } from "./backends.ts"

/** A new agent, offer, mission, import and lead, with names of their own. */
const fresh = Effect.fnUntraced(function* (name: string) {
  const email_accounts = [{ provider: "SMTP", email: `${name}@sender.example` }]
  yield* ok("agent.create", {
    first_name: "Ada",
    last_name: "M",
    handle: `a-${name}`,
    email_accounts
  })
  const texts = { name: "Offer", one_liner: "One", value_proposition: "Worth" }
  yield* ok("offer.create", { ...texts, offer_id: `offer-${name}` })
  const { mission } = yield* ok("mission.create", {
    name,
    handle: `m-${name}`,
    status: "ACTIVE",
    email_review_strategy: "MANUAL"
  })
  const lead_id = yield* lead({ email: `${name}@example.com`, linkedin_url: `linkedin.com/in/${name}` })
  return {
    name,
    lead_id,
    agent: `a-${name}`,
    offer: `offer-${name}`,
    mission: String(mission.id)
  }
})

type Fresh = Effect.Success<ReturnType<typeof fresh>>

interface Scene {
  /** The column of a table that refers to it, or several that one scene fills. */
  readonly columns: ReadonlyArray<string>
  readonly add: (of: Fresh) => Effect.Effect<unknown, never, World.World>
  /** What the refusal names; without it, it is deleted. */
  readonly named?: RegExp
}

const send = Effect.gen(function* () {
  const organizationId = yield* CurrentOrganization
  yield* TestClock.adjust("1 minute")
  yield* dispatchDue({ organizationId })
  yield* dispatchEmails({ organizationId })
}).pipe(Effect.orDie)

const mail = ({ lead_id, mission }: Fresh) => ({ lead_id, mission_id: mission, subject: "Hello", body_text: "Hello" })

const assigned = (of: Fresh) => ok("mission.update", { mission_id: of.mission, agent_handle: of.agent })

const written = (of: Fresh, extra: object = {}) =>
  ok("linkedin.draft.create", { lead_id: of.lead_id, agent_handle: of.agent, variations: ["Hello"], ...extra })

const sent = (of: Fresh, extra: object = {}) =>
  Effect.gen(function* () {
    const { draft } = yield* written(of, extra)
    yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
    yield* send
  })

const decided = (of: Fresh, decision: string) =>
  Effect.gen(function* () {
    yield* assigned(of)
    yield* ok("email.send", mail(of))
    const { reviews } = yield* ok("email.review.list", {})
    const [review] = reviews
    yield* ok("email.review.decide", { review_id: review.review_id, decision, content_hash: review.content_hash })
  })

const imported = (of: Fresh) =>
  ok("import.csv", {
    mission_id: of.mission,
    content: `Email,LinkedIn\n${of.name}-row@example.com,linkedin.com/in/${of.name}-row\n`
  })

const joined = (of: Fresh) => ok("lead.mission.add", { mission_id: of.mission, lead_ids: [of.lead_id] })

const left = (of: Fresh) => ok("lead.mission.remove", { mission_id: of.mission, lead_ids: [of.lead_id] })

const noted = (of: Fresh) => ok("lead.note.add", { lead_id: of.lead_id, text: "Called." })

/** What is over keeps ids: events, audit rows, stored responses, deliveries and the hashes of an erased person. */
const history = /^(event|audit|idempotency|approval_requests|webhook_|tombstones)/

interface Thing {
  readonly idOf: (of: Fresh) => string
  /** Deletes it. */
  readonly remove: (of: Fresh) => readonly [command: string, input: object]
  /** Columns that hold its id under another name than its own. */
  readonly names: ReadonlyArray<string>
  readonly scenes: ReadonlyArray<Scene>
  /** Columns that no scene fills, and why. */
  readonly without?: Readonly<Record<string, string>>
  /** Whether its row stays, for what is over. */
  readonly stays?: boolean
}

const used: ReadonlyArray<Scene> = [
  { columns: ["missions.agent_id"], add: assigned, named: /missions that are not archived \(m-/ },
  {
    columns: ["missions.agent_id"],
    add: (of) => Effect.andThen(assigned(of), ok("mission.update", { mission_id: of.mission, status: "archived" }))
  },
  { columns: ["linkedin_drafts.agent_id", "linkedin_accounts.agent_id"], add: written },
  {
    columns: ["transmissions.agent_id"],
    add: (of) => Effect.flatMap(written(of), ({ draft }) => ok("linkedin.draft.approve", { draft_id: draft.draft_id })),
    named: /1 unsent message/
  },
  { columns: ["transmissions.agent_id", "senders.sender_id"], add: sent },
  {
    columns: ["transmissions.agent_id"],
    add: (of) =>
      Effect.andThen(decided(of, "approve"), ok("mission.update", { mission_id: of.mission, status: "archived" }))
  }
]

const things: Readonly<Record<string, Thing>> = {
  missions: {
    idOf: ({ mission }) => mission,
    names: ["mission_id"],
    remove: ({ mission }) => ["mission.delete", { mission_id: mission }],
    scenes: [
      { columns: ["lead_missions.mission_id"], add: joined, named: /1 lead\b/ },
      {
        columns: ["linkedin_drafts.mission_id"],
        add: (of) => written(of, { mission_id: of.mission }),
        named: /1 open draft/
      },
      {
        columns: ["mission_activity.mission_id", "linkedin_drafts.mission_id"],
        add: (of) => Effect.andThen(joined(of), Effect.andThen(sent(of, { mission_id: of.mission }), left(of)))
      },
      { columns: ["imports.mission_id"], add: imported, named: /1 lead\b/ },
      {
        columns: ["imports.mission_id"],
        add: (of) => Effect.flatMap(imported(of), ({ import_id }) => ok("import.undo", { import_id }))
      },
      {
        columns: ["transmissions.mission_id"],
        add: (of) => Effect.andThen(assigned(of), ok("email.send", mail(of))),
        named: /1 unsent email/
      },
      { columns: ["transmissions.mission_id"], add: (of) => decided(of, "approve"), named: /1 unsent email/ },
      { columns: ["transmissions.mission_id"], add: (of) => decided(of, "reject") },
      { columns: ["transmissions.mission_id"], add: (of) => Effect.andThen(decided(of, "approve"), send) }
    ]
  },
  offers: {
    idOf: ({ offer }) => offer,
    names: ["offer_id"],
    remove: ({ offer }) => ["offer.delete", { offer_id: offer }],
    scenes: [
      {
        columns: ["missions.offer_id"],
        add: (of) => ok("mission.update", { mission_id: of.mission, offer_id: of.offer }),
        named: /m-/
      },
      {
        columns: ["missions.offer_id"],
        add: (of) => ok("mission.update", { mission_id: of.mission, offer_id: of.offer, status: "archived" })
      }
    ]
  },
  agents: {
    idOf: ({ agent }) => agent,
    names: ["agent_id", "sender_id"],
    remove: ({ agent }) => ["agent.delete", { agent_handle: agent }],
    scenes: used,
    without: {
      "agent_email_accounts.agent_id": "every agent here has one",
      "transmissions.sender_id": "follows from its agent and its account"
    },
    stays: true
  },
  "agents, by force": {
    idOf: ({ agent }) => agent,
    names: [],
    remove: ({ agent }) => ["agent.delete", { agent_handle: agent, force: true }],
    scenes: used.map(({ named: _, ...scene }) => scene),
    stays: true
  },
  leads: {
    idOf: ({ lead_id }) => lead_id,
    names: ["lead_id", "merged_into"],
    remove: ({ lead_id }) => ["lead.erase", { lead_id, confirm: lead_id }],
    scenes: [
      {
        columns: ["lead_missions.lead_id", "mission_activity.lead_id"],
        add: (of) => Effect.andThen(joined(of), sent(of))
      },
      { columns: ["lead_notes.lead_id"], add: noted },
      { columns: ["lead_labels.lead_id"], add: (of) => ok("lead.upsert", { lead_id: of.lead_id, tags: ["Fair"] }) },
      { columns: ["linkedin_drafts.lead_id", "lead_relations.lead_id"], add: written },
      { columns: ["transmissions.lead_id", "lead_messages.lead_id"], add: (of) => decided(of, "approve") },
      { columns: ["suppressions.lead_id"], add: (of) => ok("lead.suppress", { lead_id: of.lead_id, reason: "Asked" }) },
      {
        columns: ["import_rows.lead_id"],
        add: (of) =>
          ok("import.csv", {
            mission_id: of.mission,
            content: `Email,Company\n${of.name}@example.com,Acme\nbroken,ld\n`
          })
      },
      {
        columns: ["leads.merged_into"],
        add: (of) =>
          Effect.flatMap(lead({ email: `${of.name}-loser@example.com` }), (loser) =>
            ok("lead.merge", { winner_lead_id: of.lead_id, loser_lead_ids: [loser] })
          )
      }
    ],
    without: {
      "lead_identities.lead_id": "every lead here has one",
      "lead_actions.lead_id": "every lead has one",
      "lead_recency.lead_id": "every lead has one",
      "unsubscribe_tokens.lead_id": "an erasure sets it to null: mailboxes.test.ts",
      "tombstones.lead_id": "what an erasure leaves"
    }
  }
}

const scenes = Object.entries(things).flatMap(([kind, { scenes: all, ...thing }]) =>
  all.map((scene, index) => {
    const name = `${kind.replaceAll(/\W+/g, "-")}-${index}`
    return [`${kind} ${scene.columns} ${index}`, { ...thing, ...scene, name }] as const
  })
)

const outcome = (command: string, input: object) =>
  Effect.map(ask(command, input), ({ envelope }) =>
    envelope.ok ? "ok" : `${envelope.status} ${envelope.error.code} ${envelope.error.message}`
  )

/** The tables, but for history, that hold an id. */
const holders = (id: string) =>
  Effect.map(plainDump, (dump) =>
    [...dump].flatMap(([table, rows]) => (rows.includes(id.toLowerCase()) && !history.test(table) ? [table] : []))
  )

/** What the deleted agent could still do. */
const abilities = Effect.fnUntraced(function* ({ agent, name }: Fresh) {
  assert.match(yield* outcome("agent.get", { agent_handle: agent }), /^404 /)
  const { items } = yield* ok("linkedin.queue.list", { state: ["queued", "waiting_relation", "sending"] })
  const { accounts } = yield* ok("linkedin.account.list", {})
  const { emails } = yield* ok("email.list", {})
  const { drafts } = yield* ok("linkedin.draft.list", {})
  const email_accounts = [{ provider: "SMTP", email: `${name}@sender.example` }]
  yield* ok("agent.create", { first_name: "Eve", last_name: "M", email_accounts })
  return [
    ...items,
    ...accounts.filter((one: object) => JSON.stringify(one).includes(agent)),
    ...emails.filter(({ state }: { state: string }) => state === "queued" || state === "sending"),
    ...drafts.filter(({ status }: { status: string }) => status === "READY_TO_SEND")
  ]
})

eachBackendWith({ email: SimulatedEmail.layer })("deleting what is referred to", (layer) =>
  it.layer(layer)((it) => {
    it.effect.each(scenes)("%s", ([, { add, idOf, name, named, remove, stays = false }]) =>
      Effect.gen(function* () {
        const of = yield* fresh(name)
        const id = idOf(of)
        // An import goes with its mission, and its rows with it.
        const [along = id] = JSON.stringify((yield* add(of)) ?? null).match(/imp_[0-9A-Z]{26}/) ?? []
        const before = yield* holders(id)
        const [command, input] = remove(of)
        const answer = yield* outcome(command, input)
        if (named === undefined) {
          assert.strictEqual(answer, "ok")
          assert.deepStrictEqual(stays ? yield* abilities(of) : yield* holders(id), [])
          if (command === "mission.delete") assert.deepStrictEqual(yield* holders(along), [])
        } else {
          assert.match(answer, /^409 /)
          assert.match(answer, named)
          assert.deepStrictEqual(yield* holders(id), before)
        }
      }).pipe(inOrganization(`org_${name.replaceAll("-", "_")}`))
    )
  })
)

describe.skipIf(!hasPostgres())("what refers to something that can be deleted", () => {
  it.layer(World.make({ backend: "postgres" }))((it) => {
    it.effect("is all in the test: foreign keys, and columns with ids", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        for (const [table, { names, scenes: all, without = {} }] of Object.entries(things)) {
          if (names.length === 0) continue
          const rows = yield* sql<{ readonly name: string }>`
            select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
            where c.relnamespace = (select relnamespace from pg_class where oid = 'svc.leads'::regclass) and c.relkind = 'r'
              and not a.attisdropped and a.attname <> 'organization_id' and (
                a.attname = any (${[...names]}::text[]) or exists (
                  select 1 from pg_constraint k where k.contype = 'f' and k.conrelid = c.oid
                    and k.confrelid = to_regclass('svc.' || ${table}) and a.attnum = any (k.conkey)))
            order by 1`
          const columns = [...new Set([...all.flatMap((scene) => scene.columns), ...Object.keys(without)])]
          assert.deepStrictEqual(
            rows.map(({ name }) => name),
            columns.toSorted(),
            table
          )
        }
      })
    )
  })
})
