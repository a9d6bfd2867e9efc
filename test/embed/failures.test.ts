/** What a host program is told of a refusal: the class with its fields, and only those that the command declares. */
import { afterAll, assert, beforeAll, describe, expectTypeOf, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { CommonFailure, NotFound } from "#core/kernel/failure/failures.ts"
import type { OfferInUse } from "#core/offers/failures.ts"
import { createSvc } from "#embed/createSvc.ts"
import type { Svc } from "#embed/Svc.ts"

let svc: Svc

beforeAll(async () => {
  svc = await createSvc({ databaseUrl: "memory:", worker: false })
})
afterAll(() => svc.close())

describe("svc.effect", () => {
  it("has the declared failures in its error channel, to be caught by their tags", async () => {
    const run = svc.effect.run("offer.delete", { offer_id: "off_none" })
    expectTypeOf(run).toEqualTypeOf<
      Effect.Effect<{ readonly offer_id: string }, NotFound | OfferInUse | CommonFailure>
    >()
    const caught = run.pipe(
      Effect.catchTag("NotFound", ({ id, kind }) => Effect.succeed(`${kind} ${id}`)),
      Effect.catchTag("OfferInUse", ({ missions }) => Effect.succeed(missions.join()))
    )
    assert.strictEqual(await Effect.runPromise(caught), "offer off_none")
  })

  it("gives the fields of a failure that the command's rules made", async () => {
    const offer = await svc.offers.create({ name: "In use", is_draft: true })
    const agent = await svc.agents.create({ first_name: "Ada", last_name: "Martin" })
    await svc.missions.create({
      name: "Uses it",
      handle: "uses-it",
      agent_handle: agent.agent.handle,
      offer_id: offer.offer.id
    })
    const missions = svc.effect.run("offer.delete", { offer_id: offer.offer.id }).pipe(
      Effect.as<ReadonlyArray<string>>([]),
      Effect.catchTag("OfferInUse", (failure) => Effect.succeed(failure.missions))
    )
    assert.deepStrictEqual(await Effect.runPromise(missions), ["uses-it"])
  })

  it("knows the class of a failure that no command was found for", async () => {
    const refused = svc.effect.run("offer.get", { offer_id: "off_none" }, { idempotencyKey: "" })
    const caught = refused.pipe(Effect.catchTag("InvalidInput", ({ code }) => Effect.succeed(code)))
    assert.strictEqual(await Effect.runPromise(caught), "INVALID_INPUT")
  })
})

describe("a rejected promise", () => {
  it("narrows its code to those that the command can end with", async () => {
    const error: unknown = await svc.offers.delete({ offer_id: "off_none" }).catch((caught: unknown) => caught)
    assert.isTrue(svc.commands.failed("offer.delete", error))
    assert.isFalse(svc.commands.failed("offer.delete", new Error("another")))
    if (!svc.commands.failed("offer.delete", error)) return
    expectTypeOf(error.code).toEqualTypeOf<"NOT_FOUND" | "OFFER_IN_USE" | CommonFailure["code"]>()
    assert.strictEqual(error.code, "NOT_FOUND")
    assert.isFalse(svc.commands.failed("offer.create", error), "offer.create cannot end with NOT_FOUND")
  })

  it("has an envelope whose code narrows too", async () => {
    const envelope = await svc.commands.run("offer.get", { offer_id: "off_none" })
    if (envelope.ok) return assert.fail("there is no such offer")
    expectTypeOf(envelope.error.code).toEqualTypeOf<"NOT_FOUND" | CommonFailure["code"]>()
    assert.strictEqual(envelope.error.code, "NOT_FOUND")
  })
})
