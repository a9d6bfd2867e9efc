/**
 * Sample data, which `svc dev --sample` adds and every example of the catalogue refers to.
 *
 * It is created by running commands, with fixed ids. Adding it again changes nothing.
 */

import * as Core from "@svc/core"
import { commands } from "@svc/core/commands"
import type { DomainCheck, InboxGateway } from "@svc/core/email"
import { ImportRunner } from "@svc/core/imports"
import { dispatchLayer, generateKey, issueKey, noPolicies } from "@svc/core/internal"
import { LinkedInGateway, LinkedInPorts as Ports, TransmissionsRepo } from "@svc/core/outreach"
import { Workspaces } from "@svc/core/workspace"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { approvalRuns, emailRuns, queueRuns, runs } from "./sampleRuns.ts"
import type { Stores } from "./workers.ts"

/** Ids such as `drf_SAMPLE00000000000000000001`, counted for each prefix. */
const sampleIds: Layer.Layer<Core.Ids> = Layer.sync(Core.Ids, () => {
  const counts = new Map<string, number>()
  const make = (prefix: string) => {
    const count = (counts.get(prefix) ?? 0) + 1
    counts.set(prefix, count)
    return `${prefix}_SAMPLE${String(count).padStart(20, "0")}`
  }
  return { next: (prefix) => Effect.sync(() => make(prefix)), maker: Effect.succeed(make) }
})

const queued = { kinds: ["message"], states: ["queued", "ambiguous"], order: "oldest" } as const

/** Stores a pending invitation of the account whose messages are queued, if there is one. */
const seedInvitation = Effect.fnUntraced(function* (organizationId: Core.OrganizationId) {
  const { list, save } = yield* TransmissionsRepo
  const at = yield* Core.now
  const [message] = (yield* list(organizationId, queued, { after: undefined, limit: 1 })).items
  if (message?.row.kind !== "message") return
  yield* save(organizationId, [
    {
      ...message.row,
      kind: "invitation",
      id: "inv_SAMPLE00000000000000000001",
      agentId: "agt_SAMPLE00000000000000000001",
      leadId: "ld_SAMPLE00000000000000000003",
      draftId: null,
      state: "pending",
      reason: "invitation_pending",
      note: "Hi Katherine, I read your talk on closing books by hand.",
      approved: {
        recipient: [{ kind: "slug", value: "katherine-johnson-2nd", derived: false }],
        sender: message.row.accountId,
        mission: null,
        wording: ""
      },
      requestedBy: { userId: "usr_SAMPLE00000000000000000001", actorKind: "USER" },
      bypass: false,
      externalId: null,
      attempts: 1,
      failures: 0,
      notBefore: null,
      sentAt: at,
      createdAt: at,
      updatedAt: at
    }
  ])
})

/** The gateway of the process, but messages get an unknown outcome instead of being sent. */
const silent: Layer.Layer<LinkedInGateway, never, LinkedInGateway> = Layer.effect(
  LinkedInGateway,
  Effect.map(LinkedInGateway, (gateway) => {
    const lost = Effect.succeed({ _tag: "Unknown", detail: "The connection broke after the body was sent." } as const)
    const relation = { connected: true, chatId: null, invitation: "none" } as const
    return LinkedInGateway.of({
      ...gateway,
      relation: () => Effect.succeed({ _tag: "Known", relation }),
      sendToChat: () => lost,
      startChat: () => lost,
      sendInvitation: () => lost
    })
  })
)

/** Gives the last e-mail an unknown outcome. */
const seedUnknownEmail = Effect.fnUntraced(function* (organizationId: Core.OrganizationId) {
  const { find, save } = yield* TransmissionsRepo
  const row = (yield* find(organizationId, "eml_SAMPLE00000000000000000003"))?.row
  if (row?.kind !== "email") return
  const reason = "The connection broke after the message was handed over."
  yield* save(organizationId, [{ ...row, state: "ambiguous", decision: "approve", attempts: 1, reason }])
})

/** Keys that examples rotate and revoke, in the order that keys of one instant are listed in. Their ids are unique in a database. */
const seedKeys = Effect.fnUntraced(function* ({ organizationId, userId }: Core.ActorIdentity) {
  const workspaces = yield* Workspaces
  for (const keyId of ["samplerevoke", "samplerotate"]) {
    if ((yield* workspaces.findKey(keyId)) !== undefined) continue
    const { key } = yield* issueKey(organizationId, userId, { name: keyId }, generateKey(keyId))
    yield* workspaces.createKey(key)
  }
})

/** Adds the sample to the actor's organization, unless its offer exists. */
export const seedSample = (
  actor: Core.ActorIdentity
): Effect.Effect<void, Core.Failure, DomainCheck | InboxGateway | LinkedInGateway | Stores> =>
  Effect.gen(function* () {
    const dispatch = yield* Core.Dispatch
    const known = yield* dispatch.run({ command: "offer.get", input: { offer_id: "sample-offer" }, actor })
    if (known.envelope.ok) return
    const policies: Core.PolicyLayers = { ...noPolicies, key: { mutate: "ask" } }
    // Not the person, who could not approve requests of their own.
    const program: Core.ActorIdentity = { ...actor, userId: "usr_sample_agent", kind: "AI_AGENT", policies }
    const gateway = yield* LinkedInGateway
    // Not where accounts must be linked: the sample's agent has none.
    const canQueue = gateway.automaticAccount({ id: "agt_SAMPLE" }) !== undefined
    const person: Core.ActorIdentity = { ...actor, policies: noPolicies }
    for (const one of [...runs, ...(canQueue ? queueRuns : []), ...approvalRuns, ...emailRuns]) {
      const { endsIn, ...run } = one
      const { envelope } = yield* dispatch.run({ ...run, actor: approvalRuns.includes(one) ? program : person })
      if (!envelope.ok && envelope.error.code !== endsIn) {
        return yield* new Core.Relayed(envelope.error.code, {
          message: `The sample stopped at ${run.command}: ${envelope.error.message}`
        })
      }
    }
    yield* seedUnknownEmail(actor.organizationId)
    yield* seedInvitation(actor.organizationId)
    yield* seedKeys(actor)
  }).pipe(
    Effect.provide(
      dispatchLayer(Core.makeCatalog(commands)).pipe(
        Layer.provide(ImportRunner.layer),
        Layer.provide(Ports.layer),
        Layer.provide(silent),
        Layer.provide(sampleIds)
      )
    )
  )
