/** What the cases of the store contract work with: services on the store, an organization of their own, a provider. */
import { type Gateway, LinkedInGateway, type SendResult, sendingOnly } from "@svc/core/outreach"
import { type CommandOf, defineCommand, type Svc, type SvcOptions } from "@svc/embed"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Stores an offer and then fails: none of it may stay. */
const failLate = defineCommand({
  id: "offer.fail-late",
  summary: "Store an offer and fail",
  risk: "mutate",
  scope: "offers:write",
  failures: ["NOT_FOUND"],
  run: async (_, { fail, svc }) => {
    await svc.offers.create({ offer_id: "late", name: "Late", is_draft: true })
    throw fail("NOT_FOUND", "This command fails always.")
  }
})

/** The options of a service that a case needs; a host adds its store. */
export type StoreOptions = SvcOptions<typeof failLate>

/** The service of a case. */
export type StoreSvc = Svc<CommandOf<typeof failLate>>

/** Opens a service with these options on the store that is tested: with `database`, `layers`, or both. */
export type OpenStore = (options: StoreOptions) => Promise<StoreSvc>

/** What a case gets. */
export interface StoreWorld {
  /** Two services, each with connections of its own where they share the store; otherwise twice the same. */
  readonly services: readonly [StoreSvc, StoreSvc]
  /** The services in an organization that only this case uses. */
  readonly own: readonly [StoreSvc, StoreSvc]
  /** The texts that left, in order. */
  readonly sent: ReadonlyArray<string>
  /** Holds every send until it is called; resolves `reached` when the first one waits. */
  readonly holdSends: () => { readonly reached: Promise<void>; readonly release: () => void }
}

/** A provider to which everybody is connected. */
const makeGateway = () => {
  const sent: Array<string> = []
  let gate: Promise<void> | undefined
  let reach = () => {}
  const confirmed = ({ text }: { readonly text: string }): Effect.Effect<SendResult> =>
    Effect.promise(async () => {
      sent.push(text)
      reach()
      await gate
      return { _tag: "Confirmed", messageId: `message-${sent.length}`, externalId: null }
    })
  const gateway: Gateway = {
    ...sendingOnly,
    name: "contract",
    automaticAccount: ({ id }) => ({ gatewayAccountId: id, tier: "FREE", features: [] }),
    relation: () => Effect.succeed({ _tag: "Known", relation: { connected: true, chatId: null, invitation: "none" } }),
    sendToChat: (_, delivery) => confirmed(delivery),
    startChat: (_, delivery) => confirmed(delivery),
    sendInvitation: () => Effect.succeed({ _tag: "Confirmed", messageId: null, externalId: null }),
    searchPeople: () => Effect.succeed({ people: [], next: null, total: 0 })
  }
  const holdSends = () => {
    let release = () => {}
    gate = new Promise((resolve) => {
      release = resolve
    })
    const reached = new Promise<void>((resolve) => {
      reach = resolve
    })
    return { reached, release: () => release() }
  }
  return { gateway, sent, holdSends }
}

let organizations = 0

/** Runs a case in a world of its own. */
export const inWorld = async (open: OpenStore, isShared: boolean, test: (world: StoreWorld) => Promise<void>) => {
  const { gateway, holdSends, sent } = makeGateway()
  const options: StoreOptions = {
    env: false,
    worker: false,
    commands: [failLate],
    gateway: Layer.succeed(LinkedInGateway, gateway),
    settings: { sendHoldSeconds: 0, linkedinPacing: "off", logLevel: "none" }
  }
  const first = await open(options)
  const second = isShared ? await open(options) : first
  try {
    const externalId = `contract-${process.pid}-${Date.now()}-${organizations++}`
    const { id: organizationId } = await first.organizations.ensure({ externalId })
    const own = [first.as({ organizationId }), second.as({ organizationId })] as const
    await test({ services: [first, second], own, sent, holdSends })
  } finally {
    await Promise.all([first.close(), second.close()])
  }
}
