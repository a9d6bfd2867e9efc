/** The journal in the in-memory store. */

import {
  IdempotencyInProgress,
  type IdempotencyRecord,
  type IdempotencyScope,
  type InstantText,
  Journal,
  type SequencedEvent,
  type WrittenEvent
} from "@svc/core"
import { canonicalJson, compareText, expiredRow } from "@svc/core/internal"
import type { Documents } from "@svc/core/leads"
import * as Workspace from "@svc/core/workspace"
import * as Result from "effect/Result"
import { everywhere, repository, type Tables, table } from "./MemoryStore.ts"

type KeyState =
  | { readonly _tag: "Running"; readonly fingerprint: string; readonly since: string }
  | { readonly _tag: "Done"; readonly record: IdempotencyRecord }

/** An event with what undoing it takes to know. */
export interface EventRow extends SequencedEvent {
  readonly keyId: WrittenEvent["keyId"]
  readonly undoes?: boolean
  readonly undoneAt: InstantText | null
}

/** Events by id. */
export const events = table<EventRow>("events")

/** The number of the latest event, under `head`. */
export const eventHeads = table<number>("event_heads")

/** Audit rows by id, sealed when they are written. */
export const audit = table<Workspace.SealedRecord>("audit")

/** The key of audit hashes: nobody but this process can write to the store. */
export const auditKey = "memory"

/** The end of the audit chain, under `head`. */
export const auditHeads = table<Workspace.ChainHead>("audit_heads")

/** The start of the kept audit chain, under `start`. */
export const auditStarts = table<Workspace.ChainStart>("audit_starts")

/** Approval requests by id, resolved ones included. */
export const approvals = table<Workspace.ApprovalRow>("approval_requests")

/** Idempotency keys with their results. */
export const keyStates = table<KeyState>("idempotency")

const stateKey = (scope: IdempotencyScope): string => `${scope.route}\n${scope.key}`

/** Requests for approval and stored responses, as documents that may name a person. */
export const storedDocuments = (tables: Tables): Pick<Documents, "requests" | "responses"> => ({
  requests: tables
    .all(approvals)
    .toSorted((a, b) => compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id))
    .map(({ commandId, createdAt, id, input, problem, reason, state }) => {
      const known = { approval_request_id: id, command_id: commandId, state, input, reason, problem }
      return { ...known, created_at: createdAt }
    }),
  responses: tables
    .all(keyStates)
    .flatMap((state) => (state._tag === "Done" ? [state.record] : []))
    .toSorted(
      (a, b) => compareText(`${a.createdAt} ${a.route}`, `${b.createdAt} ${b.route}`) || compareText(a.key, b.key)
    )
    .map(({ createdAt, envelope, key, route }) => ({ route, key, response: { ...envelope }, created_at: createdAt }))
})

/** Part of erasing a person: removes responses and pending requests, and the content of resolved requests. */
export const eraseStored = (tables: Tables, { requests, responses }: Documents): void => {
  for (const { key, route } of responses) tables.remove(keyStates, `${route}\n${key}`)
  const ids = new Set(requests.map(({ approval_request_id }) => approval_request_id))
  tables.removeWhere(approvals, ({ id, state }) => state === "pending" && ids.has(id))
  tables.updateWhere(
    approvals,
    ({ id }) => ids.has(id),
    (row) => ({ ...row, input: null, reason: "", problem: "" })
  )
}

/** Keeps events, audit rows and idempotency keys in memory. */
export const layer = repository(Journal)((store) => ({
  append: (organizationId, entries) =>
    store.tryWrite(organizationId, (tables) => {
      for (const event of entries.flatMap(({ events }) => events)) {
        const sequence = (tables.get(eventHeads, "head") ?? 0) + 1
        tables.set(events, event.id, { ...event, sequence, undoneAt: null })
        tables.set(eventHeads, "head", sequence)
      }
      for (const audited of entries.flatMap(({ audit }) => audit ?? [])) {
        const sealed = Workspace.seal(auditKey, tables.get(auditHeads, "head") ?? Workspace.emptyChain, audited)
        tables.set(audit, sealed.id, sealed)
        tables.set(auditHeads, "head", { sequence: sealed.sequence, hash: sealed.hash })
      }
      for (const record of entries.flatMap(({ idempotency }) => idempotency ?? [])) {
        if (tables.get(keyStates, stateKey(record))?._tag === "Done") {
          return Result.fail(new IdempotencyInProgress({ retryAfterSeconds: 1 }))
        }
        tables.set(keyStates, stateKey(record), { _tag: "Done", record })
      }
      return Result.succeed(undefined)
    }),
  hold: (scopes) =>
    store.read(everywhere, ({ of }) =>
      scopes.map((scope, index) =>
        scopes.findIndex((other) => stateKey(other) === stateKey(scope)) < index
          ? undefined
          : (of(scope.organizationId).get(keyStates, stateKey(scope)) ?? { _tag: "New" })
      )
    ),
  claim: (scope, fingerprint, now, staleBefore) =>
    store.write(scope.organizationId, (tables) => {
      const state = tables.get(keyStates, stateKey(scope))
      if (
        state !== undefined &&
        (state._tag === "Done" || state.since >= staleBefore || state.fingerprint !== fingerprint)
      ) {
        return state
      }
      tables.set(keyStates, stateKey(scope), { _tag: "Running", fingerprint, since: now })
      return { _tag: "New" }
    }),
  requestApproval: (asked) =>
    store.write(asked.organizationId, (tables) => {
      const { commandHash, createdAt, input, requestedBy } = asked
      const all = tables.where(
        approvals,
        (row) =>
          row.state === "pending" &&
          row.commandHash === commandHash &&
          row.requestedBy.userId === requestedBy.userId &&
          row.requestedBy.keyId === requestedBy.keyId
      )
      const open = all.find((row) => row.expiresAt > createdAt && canonicalJson(row.input) === canonicalJson(input))
      const replaced = all.filter((row) => row !== open)
      for (const row of replaced) {
        tables.set(approvals, row.id, expiredRow(row, createdAt, []))
      }
      const row =
        open === undefined
          ? Workspace.newApprovalRow(asked)
          : { ...open, precondition: asked.precondition, expiresAt: asked.expiresAt }
      tables.set(approvals, row.id, row)
      return { id: row.id, replaced: replaced.map(({ id }) => id) }
    }),
  find: (scope) =>
    store.read(scope.organizationId, (tables) => {
      const state = tables.get(keyStates, stateKey(scope))
      return state?._tag === "Done" ? state.record.envelope : undefined
    }),
  release: (scope) =>
    store.write(scope.organizationId, (tables) => {
      const state = tables.get(keyStates, stateKey(scope))
      if (state?._tag === "Running") tables.remove(keyStates, stateKey(scope))
    })
}))
