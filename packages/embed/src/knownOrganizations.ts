/** Dispatch for hosts, which name organizations themselves: in one that does not exist nothing is read or written. */
import {
  type Call,
  Dispatch,
  failureEnvelope,
  inputHash,
  JoinsTransaction,
  NotFound,
  type OrganizationId,
  quote
} from "@svc/core"
import { Workspaces } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Refuses every run in an organization that does not exist, with NOT_FOUND. */
export const layer: Layer.Layer<Dispatch, never, Dispatch | Workspaces> = Layer.effect(
  Dispatch,
  Effect.gen(function* () {
    const dispatch = yield* Dispatch
    const { findOrganization } = yield* Workspaces
    // Organizations are never deleted.
    const known = new Set<OrganizationId>()
    const check = Effect.fnUntraced(function* (id: OrganizationId) {
      if ((yield* findOrganization(id)) === undefined) {
        const message = `Organization ${quote(id)} not found. Create it with svc.organizations.ensure, or correct the actor's organizationId.`
        return yield* new NotFound({ kind: "organization", id, message })
      }
      // One of an open transaction may yet be undone.
      if (!(yield* JoinsTransaction)) known.add(id)
    })
    const checkedRun = Effect.fnUntraced(function* (call: Call) {
      const { actor, command, input } = call
      const checked = yield* Effect.result(check(actor.organizationId))
      if (checked._tag === "Success") return yield* dispatch.run(call)
      const { failure } = checked
      return {
        envelope: failureEnvelope(failure, inputHash(actor.organizationId, command, input)),
        replayed: false,
        retryAfterSeconds: failure.retryAfterSeconds,
        failure
      }
    })
    return Dispatch.of({
      ...dispatch,
      run: (call) =>
        Effect.suspend(() => (known.has(call.actor.organizationId) ? dispatch.run(call) : checkedRun(call)))
    })
  })
)
