/**
 * POST /api/v1/simulator/events: what happens on the simulated LinkedIn and to simulated email, as if their provider had told
 * it. An accepted invitation takes the path of a provider's webhook; a bounce makes the mail server refuse the address.
 */
import { Dispatch, ForbiddenScope, InvalidInput, now, WrongState } from "@svc/core"
import { hasScope } from "@svc/core/internal"
import { AccountsRepo, InboundReceiver } from "@svc/core/outreach"
import { json, type KeyedCall, type Route, readJson } from "@svc/http"
import { SimulatedGateway } from "@svc/memory"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

const path = "/api/v1/simulator/events"
const maxBytes = 4_096

type Data = Readonly<Record<string, unknown>>

const isEvent = (event: unknown): event is "accepted" | "bounced" => event === "accepted" || event === "bounced"

/** The route, where LinkedIn is simulated. `sendsEmail`: whether emails really leave. */
export const simulatorRoutes = (
  sendsEmail: boolean
): Effect.Effect<ReadonlyArray<Route>, never, AccountsRepo | Dispatch | InboundReceiver> =>
  Effect.gen(function* () {
    const found = yield* Effect.serviceOption(SimulatedGateway.SimulatorLedger)
    if (Option.isNone(found)) return []
    const simulator = found.value
    const accounts = yield* AccountsRepo
    const dispatch = yield* Dispatch
    const receiver = yield* InboundReceiver

    const handle = Effect.fnUntraced(function* ({ actor, request }: KeyedCall) {
      if (!hasScope(actor, "leads:write")) {
        return yield* new ForbiddenScope({ message: "This key lacks the scope leads:write." })
      }
      const run = Effect.fnUntraced(function* (command: string, input: object) {
        const { envelope, failure } = yield* dispatch.run({ command, input, actor })
        return envelope.ok ? (Object(envelope.data) as Data) : yield* failure ?? new WrongState()
      })
      const { event, lead_id } = Object(yield* readJson(request, maxBytes))
      if (!isEvent(event)) return yield* new InvalidInput({ message: 'event must be "accepted" or "bounced".' })
      const { lead } = yield* run("lead.get", { lead_id })
      const { email, linkedin_url } = Object(lead)
      if (event === "bounced") {
        if (sendsEmail) {
          return yield* new WrongState({
            message: "Emails are sent through SMTP here. Bounces are only simulated without it."
          })
        }
        if (typeof email !== "string" || email === "") {
          return yield* new WrongState({ message: "The lead has no email address. Set one first." })
        }
        yield* simulator.bounce(email)
        return json({ data: { event, lead_id, email } })
      }
      let cursor: unknown
      do {
        const pending = { kind: "invitation", state: ["pending"], limit: 100, ...(cursor == null ? {} : { cursor }) }
        const { items, next_cursor } = yield* run("linkedin.queue.list", pending)
        const sent = (items as ReadonlyArray<Data>).find((item) => item["lead_id"] === lead_id)
        if (sent !== undefined) {
          const at = yield* now
          const known = yield* accounts.list(actor.organizationId, "simulator", { day: at, week: at })
          const account = known.find(({ account }) => account?.id === sent["account_id"])?.account
          if (account == null) break
          yield* simulator.accept(account.id, String(lead_id))
          yield* receiver.receive(actor.organizationId, { account: account.gatewayAccountId, profile: linkedin_url })
          return json({ data: { event, lead_id, account_id: account.id } })
        }
        cursor = next_cursor
      } while (typeof cursor === "string")
      return yield* new WrongState({
        message: "No invitation to this lead is waiting for an answer. Send one with linkedin.invitation.send first."
      })
    })
    return [{ method: "POST", path, access: "key", query: [], handle }]
  })
