/** The contract of stores finds what is wrong: each of these stores breaks one promise. */

import { assert, describe, it } from "@effect/vitest"
import { Transaction } from "@svc/core"
import { createSvc } from "@svc/embed"
import { Memory } from "@svc/memory"
import { storeContract } from "@svc/testing"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Journal } from "#core/kernel/journal/Journal.ts"
import { LeadsRepo } from "#core/leads/LeadsRepo.ts"
import { OffersRepo } from "#core/offers/Offer.ts"
import { type Due, TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"

/** A store in memory with a change to one of its ports. */
const changed = <I, S extends object>(port: Context.Service<I, S>, change: (port: S) => Partial<S>) => {
  const layer = Layer.effect(
    port,
    Effect.map(port, (before) => ({ ...before, ...change(before) }))
  )
  // A replaced port takes the place of the one that the service has; no type asks for it.
  return Layer.provide(layer, Memory.layer as Layer.Layer<I | Memory.Repositories>) as unknown as Layer.Layer<never>
}

/** Stores, and the cases that find what is wrong with them. */
const broken: Readonly<Record<string, readonly [layers: () => Layer.Layer<never>, found: ReadonlyArray<string>]>> = {
  "transactions that are not rolled back": [
    () => changed(Transaction, () => ({ run: (effect) => effect })),
    ["a command that fails leaves nothing", "a preview leaves nothing"]
  ],
  "leads that are found by e-mail only": [
    () =>
      changed(LeadsRepo, ({ resolve }) => ({
        resolve: (organizationId, references) =>
          resolve(organizationId, {
            ...references,
            identities: references.identities.filter(({ kind }) => kind === "email")
          })
      })),
    ["a person is one lead, by whichever identifier"]
  ],
  "leads that are never found": [
    () =>
      changed(LeadsRepo, ({ resolve }) => ({
        resolve: (organizationId, references) =>
          Effect.map(resolve(organizationId, references), (found) => ({ ...found, leadIds: new Map(), leads: [] }))
      })),
    ["a person is one lead, by whichever identifier"]
  ],
  "a journal that forgets idempotency keys": [
    () => changed(Journal, () => ({ hold: (scopes) => Effect.succeed(scopes.map(() => ({ _tag: "New" }))) })),
    ["a retry with the same key takes effect once"]
  ],
  "a journal that forgets events": [
    () =>
      changed(Journal, ({ append }) => ({
        append: (id, entries) =>
          append(
            id,
            entries.map((entry) => ({ ...entry, events: entry.events.slice(1) }))
          )
      })),
    ["events have one order without gaps, in the transaction of their change"]
  ],
  "a journal that forgets the audit": [
    () =>
      changed(Journal, ({ append }) => ({
        append: (id, entries) =>
          append(
            id,
            entries.map((entry) => ({ ...entry, audit: undefined }))
          )
      })),
    ["events have one order without gaps, in the transaction of their change"]
  ],
  "a feed that knows one organization only": [
    () => {
      let first: string | undefined
      return changed(Workspaces, ({ events }) => ({
        events: {
          ...events,
          read: (organizationId, request) => {
            first ??= organizationId
            return events.read(first, request)
          }
        }
      }))
    },
    ["an organization sees nothing of another one"]
  ],
  "offers whose texts are cut": [
    () =>
      changed(OffersRepo, ({ insert }) => ({
        insert: (offer) => insert({ ...offer, valueProposition: offer.valueProposition.slice(0, 1_000) })
      })),
    ["texts are stored as they were sent"]
  ],
  "offers whose pages lack their first row": [
    () =>
      changed(OffersRepo, ({ list }) => ({
        list: (...request) => Effect.map(list(...request), (page) => ({ ...page, items: page.items.slice(1) }))
      })),
    ["pages hold every row once, whatever is added meanwhile"]
  ],
  "a queue that gives out twice what is due": [
    () => {
      let again: ReadonlyArray<Due> = []
      return changed(TransmissionsRepo, ({ take }) => ({
        take: (request) =>
          Effect.map(take(request), (due) => {
            const given = due.length > 0 ? due : again
            again = due
            return given
          }),
        begin: () => Effect.succeed(1)
      }))
    },
    ["a message that one worker sends is not taken by another"]
  ],
  "organizations that do not find external ids": [
    () => changed(Workspaces, () => ({ findExternalOrganization: () => Effect.undefined })),
    ["an external id names one organization, and its keys act only there"]
  ]
}

describe("the contract of stores", () => {
  it.for(Object.entries(broken))("finds %s", async ([, [layers, found]]) => {
    const failed: Array<string> = []
    const cases = storeContract({
      open: (options) => createSvc({ ...options, databaseUrl: "memory:", layers: layers() })
    })
    for (const { name, run } of cases) await run().catch(() => failed.push(name))
    assert.includeMembers(failed, [...found])
    assert.isBelow(failed.length, cases.length)
  })
})
