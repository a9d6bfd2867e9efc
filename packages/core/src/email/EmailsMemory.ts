/** E-mails in the in-memory store. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { agentName } from "../agents/Agent.ts"
import { agents } from "../agents/AgentTables.ts"
import { leads } from "../leads/LeadTables.ts"
import { MemoryStore, type Tables } from "../MemoryStore.ts"
import { missions } from "../missions/MissionTables.ts"
import { newestFirst } from "../Page.ts"
import type { EmailRow, EmailView } from "./EmailRow.ts"
import { type DueEmail, type DueEmails, type EmailFilter, EmailsRepo } from "./EmailsRepo.ts"
import { emailOrganizations, emails, everyone } from "./EmailTables.ts"

const missionOf = (tables: Tables, { missionId, organizationId }: EmailRow) =>
  missionId === null ? undefined : tables.get(missions, organizationId, missionId)

const viewOf = (tables: Tables, row: EmailRow): ReadonlyArray<EmailView> => {
  const { agentId, leadId, organizationId } = row
  const agent = tables.get(agents, organizationId, agentId)
  const written = tables.get(leads, organizationId, leadId)
  const lead = tables.get(leads, organizationId, written?.mergedInto ?? leadId)
  if (agent === undefined || lead === undefined) return []
  const mission = missionOf(tables, row)
  return [
    {
      row: { ...row, missionId: mission?.id ?? null },
      mission:
        mission === undefined
          ? null
          : { id: mission.id, handle: mission.handle, name: mission.name, status: mission.status },
      agent: {
        handle: agent.handle,
        name: agentName(agent),
        isDeleted: agent.deletedAt !== null,
        timezone: agent.timezone,
        workingHours: agent.workingHours
      },
      lead: {
        id: lead.id,
        name: lead.name,
        company: lead.company,
        status: lead.status,
        wasWritten: lead.lastOutboundAt !== null,
        timezone: lead.timezone
      }
    }
  ]
}

const find = (tables: Tables, organizationId: string, id: string): EmailView | undefined =>
  [tables.get(emails, organizationId, id)].flatMap((row) => (row === undefined ? [] : viewOf(tables, row)))[0]

const fits =
  ({ leadId, mission, reviewed, states }: EmailFilter) =>
  ({ lead, mission: own, row }: EmailView): boolean =>
    (states.length === 0 || states.includes(row.state)) &&
    (!reviewed || row.strategy !== "AUTO") &&
    (leadId === undefined || row.leadId === leadId || lead.id === leadId) &&
    (mission === undefined || own?.id === mission || own?.handle === mission)

interface Due extends DueEmail {
  readonly since: string
}

const dueOf = (tables: Tables, row: EmailRow, { now, staleBefore }: DueEmails): ReadonlyArray<Due> => {
  const one = { organizationId: row.organizationId, emailId: row.id }
  if (row.state === "sending" && row.updatedAt <= staleBefore) return [{ ...one, kind: "stale", since: row.updatedAt }]
  if (row.state === "in_review" && row.expiresAt !== null && row.expiresAt <= now) {
    return [{ ...one, kind: "expired", since: row.expiresAt }]
  }
  if (row.state !== "queued" || row.notBefore === null || row.notBefore > now) return []
  const status = missionOf(tables, row)?.status
  const mayRun = status === undefined || status === "ACTIVE" || status === "ARCHIVED"
  return mayRun ? [{ ...one, kind: "send", since: row.notBefore }] : []
}

/** Keeps e-mails in memory. */
export const layer: Layer.Layer<EmailsRepo, never, MemoryStore> = Layer.effect(
  EmailsRepo,
  Effect.map(MemoryStore, (store) =>
    EmailsRepo.of({
      find: (organizationId, id) => store.read((tables) => find(tables, organizationId, id)),
      hold: (organizationId, id) => store.read((tables) => find(tables, organizationId, id)),
      list: (organizationId, filter, request) =>
        store
          .read((tables) => {
            const found = tables
              .all(emails, organizationId)
              .flatMap((row) => viewOf(tables, row))
              .filter(fits(filter))
            return newestFirst(
              found.map((view) => ({ view, id: view.row.id, createdAt: view.row.createdAt })),
              request
            )
          })
          .pipe(Effect.map(({ items, next }) => ({ items: items.map(({ view }) => view), next }))),
      insert: (row) =>
        store.write((tables) => {
          tables.set(emails, row.organizationId, row.id, row)
          tables.set(emailOrganizations, everyone, row.organizationId, row.organizationId)
        }),
      save: (row) => store.write((tables) => tables.set(emails, row.organizationId, row.id, row)),
      due: (request) =>
        store.read((tables) =>
          (request.organizationId === undefined ? tables.all(emailOrganizations, everyone) : [request.organizationId])
            .flatMap((id) => tables.all(emails, id))
            .flatMap((row) => dueOf(tables, row, request))
            .sort((a, b) => (`${a.since} ${a.emailId}` < `${b.since} ${b.emailId}` ? -1 : 1))
            .slice(0, request.limit)
            .map(({ emailId, kind, organizationId }) => ({ organizationId, emailId, kind }))
        )
    })
  )
)
