/**
 * A profile that a lead gets while its message is claimed, over two services and their own connections: the approved person gets
 * the message, or it is back in review. Another person never gets it.
 */

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ports from "#core/outreach/LinkedInPorts.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { LinkedInGateway, sendingOnly } from "#core/outreach/provider/LinkedInGateway.ts"
import type { Recipient } from "#core/outreach/provider/ProviderReads.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { effort } from "../support/effort.ts"
import { at, openService, type Service, textAt } from "../support/httpService.ts"

const rounds = effort(40)

/** Whom the provider was asked for. */
const asked = new Set<string>()
let sent = 0

const note = ({ identities }: Recipient) =>
  Effect.sync(() => {
    for (const { kind, value } of identities) asked.add(`${kind}:${value}`)
    return { _tag: "Confirmed", messageId: `m-${sent++}`, externalId: null } as const
  })

const gateway = Layer.succeed(LinkedInGateway, {
  ...sendingOnly,
  name: "simulator",
  automaticAccount: ({ id }) => ({ gatewayAccountId: id, tier: "PREMIUM", features: [] }),
  relation: (_, recipient) =>
    Effect.as(note(recipient), {
      _tag: "Known",
      relation: { connected: true, chatId: null, invitation: "none" }
    } as const),
  sendToChat: (_, { recipient }) => note(recipient),
  startChat: (_, { recipient }) => note(recipient),
  sendInvitation: (_, { recipient }) => note(recipient),
  searchPeople: () => Effect.die("not asked")
})

const linkOf = (slug: string) => `https://www.linkedin.com/in/${slug}`

describe.skipIf(!hasPostgres())("a recipient that changes while the message is claimed", () => {
  it.live(
    "the approved person, or review",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshPostgres()
        yield* Effect.promise(async () => {
          const options = { gateway, settings: { linkedinPacing: "off", sendHoldSeconds: 0 } } as const
          const one = await openService({ ...options, databaseUrl: clearUrl(url) })
          const two = await openService({ ...options, databaseUrl: clearUrl(url) })
          const run = async (service: Pick<Service, "ask">, command: string, json: object) => {
            const reply = await service.ask("POST", `/api/v1/commands/${command}`, { json, key: one.key })
            assert.strictEqual(reply.status, 200, reply.text)
            return reply.body
          }
          const dispatch = () => two.svc.effect.runtime.runPromise(dispatchDue().pipe(Effect.provide(Ports.layer)))
          try {
            await run(one, "agent.create", { first_name: "Ada", last_name: "Martin" })
            const seen = new Set<string>()
            for (let round = 0; round < rounds; round++) {
              asked.clear()
              const slug = `grace-${round}`
              const lead = await run(one, "lead.upsert", { name: "Grace", linkedin_url: linkOf(slug) })
              const lead_id = textAt(lead, "data.lead_id")
              const made = await run(one, "linkedin.draft.create", { lead_id, variations: ["Hello"] })
              const draft_id = textAt(made, "data.draft.draft_id")
              await run(one, "linkedin.draft.approve", { draft_id })
              const change = () => run(one, "lead.upsert", { lead_id, linkedin_url: linkOf(`mallory-${round}`) })
              // The first two rounds make sure that each comes first once.
              const first = round === 0 ? change() : dispatch()
              if (round < 2) await first
              for (let turn = 0; turn < (round % 20) * 8; turn++) await new Promise((resolve) => setImmediate(resolve))
              await Promise.all([first, round === 0 ? dispatch() : change()])
              await dispatch()
              const status = String(at(await run(one, "linkedin.draft.get", { draft_id }), "data.draft.status"))
              seen.add(status)
              const whom = status === "DISPATCHED" ? [`slug:${slug}`] : []
              assert.deepStrictEqual([...asked], whom, `${round} ${status}`)
              assert.include(["DISPATCHED", "PENDING_REVIEW"], status)
            }
            assert.strictEqual(seen.size, 2, "both came first at times")
          } finally {
            await two.svc.close()
            await one.svc.close()
          }
        })
      }),
    600_000
  )
})
