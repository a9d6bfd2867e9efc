/** What a command can end with: exactly its declared failures and the common ones, as Effect, as envelope and as error. */
import type { Command, CommonFailure, Failure, FailureCode, HostCode, InvalidEmail, NotFound } from "@svc/core"
import type { AgentInUse } from "@svc/core/agents"
import type { Commands } from "@svc/core/commands"
import type { IdentifierRequired, IdentityConflict, NotAProfileUrl } from "@svc/core/leads"
import type { OfferInUse } from "@svc/core/offers"
import type { Svc } from "@svc/embed"
import { SvcError } from "@svc/embed"
import * as Effect from "effect/Effect"
import { describe, expectTypeOf, it } from "vitest"

declare const svc: Svc
declare const error: unknown

/** The failures that a run of the command has in its error channel. */
type Ends<Id extends Commands["id"]> = Effect.Error<ReturnType<typeof svc.effect.run<Id>>>

/** Commands whose error channel is not exactly what they declare, or is any failure at all. */
type Inexact = {
  [C in Commands as C["id"]]: Failure extends Ends<C["id"]>
    ? C["id"]
    : [Ends<C["id"]>, Command.FailureOf<C>] extends [Command.FailureOf<C>, Ends<C["id"]>]
      ? never
      : C["id"]
}[Commands["id"]]

describe("svc.effect", () => {
  it("has exactly the declared failures of every command in the error channel", () => {
    expectTypeOf<Inexact>().toEqualTypeOf<never>()
    expectTypeOf<Ends<"offer.delete">>().toEqualTypeOf<NotFound | OfferInUse | CommonFailure>()
    expectTypeOf<Ends<"agent.delete">>().toEqualTypeOf<NotFound | AgentInUse | CommonFailure>()
    expectTypeOf<Ends<"lead.get">>().toEqualTypeOf<
      NotFound | IdentifierRequired | IdentityConflict | InvalidEmail | NotAProfileUrl | CommonFailure
    >()
  })

  it("gives the fields of a caught failure, and knows no failure that cannot happen", () => {
    const run = svc.effect.run("offer.delete", { offer_id: "off_1" })
    const caught = Effect.catchTag(run, "OfferInUse", ({ missions }) => Effect.succeed(missions))
    expectTypeOf<Effect.Error<typeof caught>>().toEqualTypeOf<NotFound | CommonFailure>()
    // @ts-expect-error deleting an offer never says that a lead is suppressed
    Effect.catchTag(run, "LeadSuppressed", () => Effect.void)
  })

  it("needs nothing more to run", () => {
    expectTypeOf<Effect.Services<ReturnType<typeof svc.effect.run<"lead.upsert">>>>().toEqualTypeOf<never>()
  })
})

describe("an error that was caught", () => {
  it("has any code, until it is asked whether a command failed with it", () => {
    if (error instanceof SvcError) expectTypeOf(error.code).toEqualTypeOf<FailureCode | HostCode>()
    if (!svc.commands.failed("offer.delete", error)) return
    expectTypeOf(error.code).toEqualTypeOf<"NOT_FOUND" | "OFFER_IN_USE" | CommonFailure["code"]>()
    expectTypeOf(error.envelope.error.code).toEqualTypeOf(error.code)
    // @ts-expect-error it cannot be compared with a code that the command never ends with
    error.code === "LEAD_SUPPRESSED"
  })

  it("is asked about a command of the catalogue", () => {
    // @ts-expect-error there is no such command
    svc.commands.failed("offer.burn", error)
  })
})

describe("an envelope", () => {
  it("narrows by `ok` to the output or to a code of the command", async () => {
    const envelope = await svc.commands.run("offer.delete", { offer_id: "off_1" })
    if (envelope.ok) expectTypeOf(envelope.data).toEqualTypeOf<{ readonly offer_id: string }>()
    else expectTypeOf(envelope.error.code).toEqualTypeOf<"NOT_FOUND" | "OFFER_IN_USE" | CommonFailure["code"]>()
  })
})
