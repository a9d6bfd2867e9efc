import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { AgentsRepo } from "#core/agents/Agent.ts"
import { type ImportRow, type ImportRun, noCounts } from "#core/imports/ImportRun.ts"
import { ImportsRepo } from "#core/imports/ImportsRepo.ts"
import type { LeadRow } from "#core/leads/Lead.ts"
import { LeadsRepo, type LeadView } from "#core/leads/LeadsRepo.ts"
import { nextAction } from "#core/leads/NextAction.ts"
import { actionFactsOf, contextOf } from "#core/leads/ProspectContext.ts"
import { PrivacyRepo } from "#core/leads/privacy/PrivacyRepo.ts"
import { MissionsRepo } from "#core/missions/MissionsRepo.ts"
import { OffersRepo } from "#core/offers/Offer.ts"
import { DraftsRepo } from "#core/outreach/DraftsRepo.ts"
import { AccountsRepo } from "#core/outreach/provider/AccountsRepo.ts"
import type { DraftRow, Message } from "#core/outreach/Transmission.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { organization } from "../support/organization.ts"
import { eachBackend } from "./backends.ts"
import { agentRow, draftRow, instant, leadRow, messageRow, missionRow, offerRow } from "./outreachRows.ts"

/** Rows of an organization, and what stores them. */
const shownReference = { type: "CASE_STUDY", author: null, company: "Acme", key_result: "Two days" } as const

const reference = {
  type: "CASE_STUDY",
  title: null,
  content: "",
  author: null,
  jobTitle: null,
  company: "Acme",
  companyLocation: null,
  companySize: null,
  industry: null,
  keyResult: "Two days",
  source: null,
  publishedAt: null,
  url: null,
  tags: null,
  metadata: null
} as const

const noBrief = {
  language: "en",
  objective: null,
  description: null,
  target_audience: null,
  why_we_contact_them: null,
  desired_action: null,
  key_message: null,
  cta_url: null,
  tone_instructions: null
}

const rowsOf = (org: string) => {
  const lead = (id: string, changes: Partial<LeadRow> = {}) => leadRow(org, id, changes)

  const draft = (leadId: string, status: DraftRow["status"], agentId = "agt_1", second = 1) =>
    draftRow(org, `drf_${leadId}_${agentId}_${status}`, {
      leadId,
      agentId,
      status,
      variations: ["Hello"],
      selectedIndex: status === "READY_TO_SEND" ? 0 : null,
      selectedBodyText: status === "READY_TO_SEND" ? "Hello" : null,
      dispatchedAt: status === "DISPATCHED" ? instant(2) : null,
      createdAt: instant(second),
      updatedAt: instant(second)
    })

  /** Stores a draft as its life would: created for review, then moved on. */
  const keep = (row: DraftRow) =>
    Effect.gen(function* () {
      const drafts = yield* DraftsRepo
      const before = {
        status: "PENDING_REVIEW",
        selectedIndex: null,
        selectedBodyText: null,
        dispatchedAt: null
      } as const
      yield* drafts.insert([{ ...row, ...before }])
      yield* drafts.save(org, [row])
    })

  const item = (leadId: string, draftId: string, state: Message["state"]): Message =>
    messageRow(org, `que_${leadId}`, draftId, {
      leadId,
      state,
      bodyText: `Waiting for ${leadId}`,
      createdAt: instant(5),
      updatedAt: instant(5)
    })

  // Six references, of which five are shown.
  const references = [0, 1, 2, 3, 4, 5].map((index) => ({ ...reference, content: `Case ${index}` }))
  const offer = { ...offerRow(org, "off_1", "Offer"), references }

  const save = (row: LeadRow, missionId?: string) =>
    Effect.flatMap(LeadsRepo, (repo) => {
      const links = missionId === undefined ? [] : [{ missionId, leadId: row.id, at: instant(4), touch: false }]
      return repo.write({ organizationId: org, created: [row], rows: [], links })
    })
  return { draft, item, keep, lead, offer, save }
}

/** An organization with two agents, an account, and a mission that builds on an offer; answers what makes its rows. */
const world = Effect.fnUntraced(function* (org: string) {
  const rows = rowsOf(org)
  yield* organization(org)
  yield* (yield* OffersRepo).insert(rows.offer)
  const agents = yield* AgentsRepo
  yield* agents.insert(agentRow(org, "agt_1", "ada"), ["ada"])
  yield* agents.insert(agentRow(org, "agt_2", "eve"), ["eve"])
  yield* (yield* AccountsRepo).ensure({
    id: "acc_1",
    organizationId: org,
    agentId: "agt_1",
    gateway: "simulator",
    gatewayAccountId: "1",
    status: "OK",
    tier: "FREE",
    features: [],
    createdAt: instant(0),
    updatedAt: instant(0)
  })
  const brief = { whoAreThey: "Finance leads", keyMessage: "Close faster" }
  const mission = { ...missionRow(org, "spring"), ...brief, offerId: "off_1" }
  yield* (yield* MissionsRepo).insert(mission, ["spring"])
  return rows
})

eachBackend("context of leads", (layer) =>
  it.layer(layer)((it) => {
    it.effect("shows the newest open draft, the mission's offer, the latest look, and what waits to be sent", () =>
      Effect.gen(function* () {
        const org = "org_shown"
        const { draft, item, keep, lead, save } = yield* world(org)
        const queue = yield* TransmissionsRepo
        yield* save(lead("ld_1", { status: "Waiting" }), "mis_spring")
        yield* keep(draft("ld_1", "CANCELLED", "agt_1", 9))
        yield* keep(draft("ld_1", "PENDING_REVIEW", "agt_2", 2))
        const approved = draft("ld_1", "READY_TO_SEND", "agt_1", 3)
        yield* keep(approved)
        yield* queue.save(org, [item("ld_1", approved.id, "waiting_relation")])
        yield* queue.saveRelation({
          organizationId: org,
          accountId: "acc_1",
          leadId: "ld_1",
          connected: false,
          chatId: null,
          invitedAt: instant(6),
          checkedAt: instant(7)
        })
        const { leads } = yield* (yield* LeadsRepo).find(org, { identities: [], leadId: "ld_1" })
        assert.deepStrictEqual(
          leads.map((view) => contextOf(view, instant(0))),
          [
            {
              conversation: [
                {
                  message_id: "que_ld_1",
                  direction: "outbound",
                  channel: "LINKEDIN",
                  content: "Waiting for ld_1",
                  date: instant(5),
                  is_pending: true
                }
              ],
              relation: {
                account_id: "acc_1",
                connected: false,
                conversation_synced: false,
                invited_at: instant(6),
                checked_at: instant(7)
              },
              open_draft: {
                draft_id: approved.id,
                status: "READY_TO_SEND",
                agent_handle: "ada",
                mission_id: null,
                created_at: instant(3)
              },
              missions: [
                {
                  mission_id: "mis_spring",
                  handle: "spring",
                  name: "Mission spring",
                  status: "ACTIVE",
                  linked_at: instant(4),
                  offer_name: "Offer",
                  offer_one_liner: "One line",
                  offer_value_proposition: "Gain",
                  brief: { ...noBrief, target_audience: "Finance leads", key_message: "Close faster" },
                  proof: ["Case 0", "Case 1", "Case 2", "Case 3", "Case 4"].map((content, index) => ({
                    ...shownReference,
                    reference: `offer.references[${index}]`,
                    content
                  }))
                }
              ],
              next_action: null,
              follow_up: null,
              draft_request: null,
              suppression: null
            }
          ]
        )
        const invited = yield* (yield* LeadsRepo).search(
          org,
          { relation: "invited" },
          "name",
          { limit: 5, after: undefined },
          instant(9)
        )
        assert.deepStrictEqual(
          invited.items.map(({ id }) => id),
          ["ld_1"]
        )
      })
    )

    it.effect("finds the leads of an import", () =>
      Effect.gen(function* () {
        const org = "org_import"
        const { lead, save } = yield* world(org)
        const imports = yield* ImportsRepo
        const run: ImportRun = {
          id: "imp_1",
          organizationId: org,
          missionId: "mis_spring",
          type: "CSV",
          name: "Import",
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
          file: null,
          rowLimit: null,
          attempt: 1,
          createdAt: instant(0),
          updatedAt: instant(0),
          finishedAt: null,
          rowsDeletedAt: null
        }
        yield* imports.insert(run)
        const rows = ["ld_i1", "ld_i2"].map(
          (leadId, position): ImportRow => ({
            importId: "imp_1",
            position,
            outcome: "created",
            reason: null,
            leadId,
            source: null
          })
        )
        for (const id of ["ld_i1", "ld_i2", "ld_i3"]) yield* save(lead(id))
        yield* imports.advance({ ...run, importId: "imp_1", rows, at: instant(1) })
        const page = { limit: 5, after: undefined }
        const { items } = yield* (yield* LeadsRepo).search(org, { importId: "imp_1" }, "name", page, instant(9))
        assert.deepStrictEqual(
          items.map(({ id }) => id),
          ["ld_i1", "ld_i2"]
        )
      })
    )

    it.effect("lists say the same next action as the rule does of what was found", () =>
      Effect.gen(function* () {
        const org = "org_lists"
        const { draft, item, keep, lead, save } = yield* world(org)
        const repo = yield* LeadsRepo
        const queue = yield* TransmissionsRepo
        const suppressed = yield* PrivacyRepo
        const entry = { organizationId: org, leadId: null, reason: "Later", createdAt: instant(0) }
        yield* suppressed.addSuppressions(org, [
          { ...entry, kind: "domain", value: "rival.example", until: null },
          { ...entry, kind: "domain", value: "later.example", until: instant(9) }
        ])
        const domains = ["example.com", "eu.rival.example", "later.example"]
        let n = 0
        const keepOne = Effect.fnUntraced(function* (
          changes: Partial<LeadRow>,
          state: "PENDING_REVIEW" | "READY_TO_SEND" | "DISPATCHED" | undefined
        ) {
          const id = `ld_p${n++}`
          yield* save(lead(id, changes), n % 3 !== 0 ? "mis_spring" : undefined)
          const domain = domains[n % 7]
          if (domain !== undefined) {
            const held = {
              organizationId: org,
              kind: "email",
              value: `${id}@${domain}`,
              leadId: id,
              derived: false
            } as const
            yield* repo.write({ organizationId: org, rows: [], held: [held] })
          }
          if (n % 11 === 0)
            yield* suppressed.addSuppressions(org, [{ ...entry, kind: "lead", value: id, until: instant(7) }])
          if (n % 5 > 1) {
            const invitedAt = n % 3 === 0 ? null : instant(5)
            const relation = { organizationId: org, leadId: id, chatId: null, connected: n % 5 > 2, invitedAt }
            yield* queue.saveRelation({ ...relation, accountId: "acc_1", checkedAt: instant(6) })
          }
          if (state === undefined) return
          const row = draft(id, state)
          yield* keep(row)
          // Every third draft was sent with an unknown outcome.
          if (n % 3 === 0) yield* queue.save(org, [item(id, row.id, "ambiguous")])
        })
        const known = [
          {},
          { linkedinUrl: "https://www.linkedin.com/in/p" },
          { email: "p@example.com" },
          { email: "p@example.com", company: "Initech" },
          { company: "Initech", headline: "CTO" }
        ]
        const talks = [
          {},
          { lastInboundAt: instant(3) },
          { lastOutboundAt: instant(4) },
          { lastInboundAt: instant(3), lastOutboundAt: instant(4) }
        ]
        const drafted = [undefined, "PENDING_REVIEW", undefined, "READY_TO_SEND", "DISPATCHED"] as const
        for (const status of ["New", "Contacted", "Interested", "New", "NotInterested", "DoNotContact"] as const) {
          for (const [place, talk] of talks.entries()) {
            for (const turn of [0, 1]) {
              yield* keepOne({ status, ...talk, ...known[(n + place) % 5] }, drafted[(n + turn) % 5])
            }
          }
        }
        const views = new Map<string, LeadView>()
        const kinds = new Set<string | null>()
        const later = ["2026-11-28T08:00:03.999Z", "2026-11-28T08:00:04.000Z"]
        for (const at of [instant(6), instant(8), instant(10), ...later]) {
          const page = { limit: 200, after: undefined }
          const filter = { query: "ld_p" }
          const { items } = yield* repo.search(org, filter, "action", page, at)
          assert.strictEqual(items.length, n)
          const needed = yield* repo.search(org, { ...filter, needsAction: true }, "action", page, at)
          assert.deepStrictEqual(
            needed.items,
            items.filter(({ action }) => action !== null)
          )
          for (const { action, id } of items) {
            const view = views.get(id) ?? (yield* repo.find(org, { identities: [], leadId: id })).leads[0]
            if (view === undefined) return assert.fail(id)
            views.set(id, view)
            assert.strictEqual(action, nextAction(actionFactsOf(view, at), at), `${at} ${JSON.stringify(view)}`)
            kinds.add(action)
          }
        }
        assert.strictEqual(kinds.size, 8, [...kinds].join())
      })
    )
  })
)
