/** Creating, updating and deleting agents: the rules for all surfaces. */

import * as Effect from "effect/Effect"
import { FieldNames } from "../kernel/command/Delegation.ts"
import { Actor, emit, ownRecord } from "../kernel/command/Execution.ts"
import { DuplicateHandle, VersionConflict } from "../kernel/failure/failures.ts"
import { slugify, withSuffix } from "../kernel/schema/Handle.ts"
import { canonicalJson } from "../kernel/schema/Hash.ts"
import { type AgentId, changedAt, Ids, now } from "../kernel/schema/IdsAndTime.ts"
import { AgentConsequences, type AgentContent, type AgentRow, AgentsRepo, contentOf } from "./Agent.ts"
import { type AgentWrite, applyWrite, emailKey, emptyContent, type NewAgent } from "./AgentInput.ts"
import { AgentInUse, DuplicateEmailAccount } from "./failures.ts"

/** How many numbered handles are tried before the record's id is used. */
const maxNumbered = 200

/** The handles to try for a name, best first; the last one is made of the record's own id and is always free. */
export const handleCandidates = (name: string, id: string): ReadonlyArray<string> => {
  const own = id.slice(id.indexOf("_") + 1).toLowerCase()
  const base = slugify(name, own)
  const tries = Array.from({ length: maxNumbered }, (_, index) => (index === 0 ? base : withSuffix(base, index + 1)))
  return [...tries, slugify(own, id)]
}

const refuseTakenEmails = Effect.fnUntraced(function* (content: AgentContent, agentId: AgentId) {
  if (content.emailAccounts.length === 0) return
  const { organizationId } = yield* Actor
  const holders = yield* (yield* AgentsRepo).emailHolders(organizationId, content.emailAccounts.map(emailKey), agentId)
  if (holders.length === 0) return
  const named = holders.slice(0, 5).map(({ email, handle }) => `${email} (agent ${handle})`)
  return yield* new DuplicateEmailAccount({
    message: `An email account can belong to only one agent: ${named.join(", ")}. Remove it from the other agent first.`
  })
})

/** Creates an agent. Without a handle one is made from the names, with a number if it is taken. */
export const createAgent = Effect.fnUntraced(function* (write: NewAgent, handle: string | undefined) {
  const { organizationId } = yield* Actor
  const content = yield* Effect.fromResult(applyWrite(emptyContent, write, (yield* FieldNames)("email_accounts")))
  const id = yield* (yield* Ids).next("agt")
  yield* refuseTakenEmails(content, id)
  const at = yield* now
  const handles = handle === undefined ? handleCandidates(`${content.firstName} ${content.lastName}`, id) : [handle]
  const agent = { id, handle: handles[0] ?? id, organizationId, ...content, createdAt: at, updatedAt: at }
  const stored = yield* (yield* AgentsRepo).insert({ ...agent, deletedAt: null }, handles)
  if (stored !== undefined) return stored
  return yield* new DuplicateHandle({
    handle: agent.handle,
    message: `The handle ${agent.handle} is or was used by another agent. Choose another, or leave it out.`
  })
})

/** Reads an agent by handle or id. Fails with NOT_FOUND. */
export const getAgent = (idOrHandle: string) =>
  Effect.flatMap(AgentsRepo, ({ find }) => ownRecord("agent", idOrHandle, find))

/** Like {@link getAgent}, but locks the agent until the transaction ends, to link it. */
export const holdAgent = (idOrHandle: string) =>
  Effect.flatMap(AgentsRepo, ({ hold }) => ownRecord("agent", idOrHandle, hold))

const paceOf = ({ smartDeliverability, timezone, workingHours }: AgentContent): string =>
  canonicalJson([timezone, workingHours, smartDeliverability])

/** Updates an agent. Without a change nothing is written. */
export const updateAgent = Effect.fnUntraced(function* (idOrHandle: string, write: AgentWrite) {
  const agent = yield* getAgent(idOrHandle)
  const before = contentOf(agent)
  const content = yield* Effect.fromResult(applyWrite(before, write, (yield* FieldNames)("email_accounts")))
  if (canonicalJson(content) === canonicalJson(before)) return agent
  if (write.email_accounts !== undefined) yield* refuseTakenEmails(content, agent.id)
  const changed = { ...agent, ...content, updatedAt: changedAt(agent.updatedAt, yield* now) }
  if (!(yield* (yield* AgentsRepo).replace(changed, agent.updatedAt))) return yield* new VersionConflict()
  if (paceOf(content) !== paceOf(before)) {
    yield* (yield* AgentConsequences).onPaceChanged(agent.organizationId, agent.id)
  }
  return changed
})

const inUse = (agent: AgentRow, missions: ReadonlyArray<string>, unsent: number, force: string): AgentInUse => {
  const handles = missions.slice(0, 5)
  const more = missions.length > handles.length ? `, and ${missions.length - handles.length} more` : ""
  const uses = [
    ...(missions.length > 0 ? [`missions that are not archived (${handles.join(", ")}${more})`] : []),
    ...(unsent > 0 ? [`${unsent} unsent message${unsent > 1 ? "s" : ""}`] : [])
  ]
  return new AgentInUse({
    agentId: agent.id,
    message:
      `${agent.handle} is used by ${uses.join(" and ")}. Archive the missions and cancel the messages first, or delete ` +
      `with ${force}, which pauses the active missions.`
  })
}

/**
 * Deletes an agent and returns its handle; drafts still show it. Fails with AGENT_IN_USE while missions that are not
 * archived or unsent messages use it, unless `force` is set: then its active missions are paused, and the port
 * {@link AgentConsequences} cancels its messages.
 */
export const deleteAgent = Effect.fnUntraced(function* (idOrHandle: string, force: boolean) {
  const { organizationId } = yield* Actor
  const repo = yield* AgentsRepo
  const departure = yield* AgentConsequences
  const agent = yield* holdAgent(idOrHandle)
  if (!force) {
    const missions = yield* repo.usedBy(organizationId, agent.id)
    const unsent = yield* departure.unsent(organizationId, agent.id)
    if (missions.length > 0 || unsent > 0)
      return yield* inUse(agent, missions, unsent, (yield* FieldNames)("force: true"))
  }
  const paused = yield* repo.softDelete(organizationId, agent.id, changedAt(agent.updatedAt, yield* now))
  yield* departure.onDeleted(organizationId, agent.id)
  yield* Effect.forEach(paused, (mission) =>
    emit({
      type: "mission.status_changed",
      subject: { type: "mission", id: mission.id },
      data: { handle: mission.handle, from: "ACTIVE", to: "PAUSED", reason: "agent_deleted" }
    })
  )
  return agent.handle
})
