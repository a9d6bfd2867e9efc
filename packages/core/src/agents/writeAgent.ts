/** Creating, changing and deleting agents: the rules that commands and REST share. Source: G7, G32; catalogue 4.1. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import { type Execution, emit } from "../Execution.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import { slugify, withSuffix } from "../Handle.ts"
import { canonicalJson } from "../Hash.ts"
import { Ids } from "../Ids.ts"
import { changedAt, now } from "../Time.ts"
import { type AgentContent, type AgentRow, contentOf } from "./Agent.ts"
import { AgentDeparture } from "./AgentDeparture.ts"
import { type AgentWrite, applyWrite, emailKey, emptyContent, type NewAgent } from "./AgentInput.ts"
import { AgentsRepo } from "./AgentsRepo.ts"

/** How a surface spells what the messages name. */
export type AgentSpelling = Readonly<Record<"emailAccounts" | "force", string>>

/** The spelling of commands. */
export const commandSpelling: AgentSpelling = {
  emailAccounts: "email_accounts",
  force: "force: true"
}

/** The spelling of REST. */
export const restSpelling: AgentSpelling = {
  emailAccounts: "emailAccounts",
  force: "?force=true"
}

/** How many names with a number are tried before an id is put behind the name. */
const numbered = 200

/** The handles to try for a new name, best first; the last one holds the record's own id and is always free. */
export const handleCandidates = (name: string, id: string): ReadonlyArray<string> => {
  const own = id.slice(id.indexOf("_") + 1).toLowerCase()
  const base = slugify(name, own)
  const tries = Array.from({ length: numbered }, (_, index) => (index === 0 ? base : withSuffix(base, index + 1)))
  return [...tries, slugify(own, id)]
}

const refuseTakenEmails = Effect.fnUntraced(function* (
  content: AgentContent,
  agentId: string
): Effect.fn.Return<void, Failure, Actor | AgentsRepo> {
  if (content.emailAccounts.length === 0) return
  const { organizationId } = yield* Actor
  const holders = yield* (yield* AgentsRepo).emailHolders(organizationId, content.emailAccounts.map(emailKey), agentId)
  if (holders.length === 0) return
  const named = holders.slice(0, 5).map(({ email, handle }) => `${email} (agent ${handle})`)
  return yield* fail(
    "DUPLICATE_EMAIL_ACCOUNT",
    `An e-mail account belongs to one agent only: ${named.join(", ")}. Remove it from the other agent first.`
  )
})

/** Creates an agent. Without a handle one is made from the names, with a number behind it when it is taken. */
export const createAgent = Effect.fnUntraced(function* (
  write: NewAgent,
  handle: string | undefined,
  spelling: AgentSpelling
): Effect.fn.Return<AgentRow, Failure, Actor | AgentsRepo | Ids> {
  const { organizationId } = yield* Actor
  const content = yield* Effect.fromResult(applyWrite(emptyContent, write, spelling.emailAccounts))
  const id = yield* (yield* Ids).next("agt")
  yield* refuseTakenEmails(content, id)
  const at = yield* now
  const handles = handle === undefined ? handleCandidates(`${content.firstName} ${content.lastName}`, id) : [handle]
  const agent = { id, handle: handles[0] ?? id, organizationId, ...content, createdAt: at, updatedAt: at }
  const stored = yield* (yield* AgentsRepo).insert({ ...agent, deletedAt: null }, handles)
  if (stored !== undefined) return stored
  return yield* fail(
    "DUPLICATE_HANDLE",
    `The handle ${agent.handle} belongs to another agent, or did once. Choose another, or leave it out.`
  )
})

/** Reads a live agent by handle or id. Fails with NOT_FOUND. */
export const getAgent = Effect.fnUntraced(function* (
  idOrHandle: string
): Effect.fn.Return<AgentRow, Failure, Actor | AgentsRepo> {
  const { organizationId } = yield* Actor
  return (
    (yield* (yield* AgentsRepo).find(organizationId, idOrHandle)) ?? (yield* notFound("agent", idOrHandle.slice(0, 64)))
  )
})

/** As {@link getAgent}, and keeps the agent as it is until the transaction ends: for what must not outlive it. */
export const holdAgent = Effect.fnUntraced(function* (
  idOrHandle: string
): Effect.fn.Return<AgentRow, Failure, Actor | AgentsRepo> {
  const { organizationId } = yield* Actor
  return (
    (yield* (yield* AgentsRepo).hold(organizationId, idOrHandle)) ?? (yield* notFound("agent", idOrHandle.slice(0, 64)))
  )
})

/** Changes an agent. Without a change nothing is written. */
export const updateAgent = Effect.fnUntraced(function* (
  idOrHandle: string,
  write: AgentWrite,
  spelling: AgentSpelling
): Effect.fn.Return<AgentRow, Failure, Actor | AgentsRepo> {
  const agent = yield* getAgent(idOrHandle)
  const before = contentOf(agent)
  const content = yield* Effect.fromResult(applyWrite(before, write, spelling.emailAccounts))
  if (canonicalJson(content) === canonicalJson(before)) return agent
  if (write.emailAccounts !== undefined) yield* refuseTakenEmails(content, agent.id)
  const changed = { ...agent, ...content, updatedAt: changedAt(agent.updatedAt, yield* now) }
  if (!(yield* (yield* AgentsRepo).replace(changed, agent.updatedAt))) return yield* fail("VERSION_CONFLICT")
  return changed
})

const inUse = (
  agent: AgentRow,
  missions: ReadonlyArray<{ readonly handle: string }>,
  unsent: number,
  spelling: AgentSpelling
): Failure => {
  const handles = missions.slice(0, 5).map(({ handle }) => handle)
  const more = missions.length > handles.length ? `, and ${missions.length - handles.length} more` : ""
  const uses = [
    ...(missions.length > 0 ? [`missions that are not archived (${handles.join(", ")}${more})`] : []),
    ...(unsent > 0 ? [`${unsent} unsent message${unsent > 1 ? "s" : ""}`] : [])
  ]
  return fail(
    "AGENT_IN_USE",
    `${agent.handle} is used by ${uses.join(" and ")}. Archive the missions and cancel the messages first, or delete ` +
      `with ${spelling.force}, which pauses the active missions.`
  )
}

/**
 * Deletes an agent for good and answers its handle; drafts still show it. Fails with AGENT_IN_USE while missions that are
 * not archived or unsent messages use it, unless `force`: then its active missions are paused, and the port
 * {@link AgentDeparture} sees to its messages.
 */
export const deleteAgent = Effect.fnUntraced(function* (
  idOrHandle: string,
  force: boolean,
  spelling: AgentSpelling
): Effect.fn.Return<string, Failure, Actor | AgentDeparture | AgentsRepo | Execution> {
  const { organizationId } = yield* Actor
  const repo = yield* AgentsRepo
  const departure = yield* AgentDeparture
  const agent = yield* holdAgent(idOrHandle)
  if (!force) {
    const { missions } = yield* repo.usage(organizationId, agent.id)
    const unsent = yield* departure.unsent(organizationId, agent.id)
    if (missions.length > 0 || unsent > 0) return yield* inUse(agent, missions, unsent, spelling)
  }
  const paused = yield* repo.softDelete(organizationId, agent.id, changedAt(agent.updatedAt, yield* now))
  if (force) yield* departure.onDeleted(organizationId, agent.id)
  yield* Effect.forEach(paused, (mission) =>
    emit({
      type: "mission.status_changed",
      subject: { type: "mission", id: mission.id },
      data: { handle: mission.handle, from: "ACTIVE", to: "PAUSED", reason: "agent_deleted" }
    })
  )
  return agent.handle
})
