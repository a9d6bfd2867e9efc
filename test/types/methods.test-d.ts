/** `createSvc()`: each command is a method with the input and output of its schemas, those of a host among them. */
import { Command, NotFound } from "@svc/core"
import type { Commands } from "@svc/core/commands"
import { type CallOptions, createSvc, defineCommand, defineResource, type Svc } from "@svc/embed"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expectTypeOf, it } from "vitest"
import { z } from "zod"

class Unknown extends Context.Service<Unknown, { readonly it: number }>()("Unknown") {}

declare const svc: Svc

describe("a method", () => {
  it("takes what the schema encodes and resolves to its output", () => {
    expectTypeOf(svc.offers.delete).parameter(0).toEqualTypeOf<{ readonly offer_id: string }>()
    expectTypeOf(svc.offers.delete).parameter(1).toEqualTypeOf<CallOptions | undefined>()
    expectTypeOf(svc.offers.delete).returns.resolves.toEqualTypeOf<{ readonly offer_id: string }>()
    expectTypeOf(svc.leads.upsert).returns.resolves.toHaveProperty("lead_id").toEqualTypeOf<string>()
    expectTypeOf(svc.offers.list).toBeCallableWith()
    expectTypeOf(svc.offers.list).toBeCallableWith({ limit: 1 })
    // @ts-expect-error a lead is needed
    expectTypeOf(svc.leads.upsert).toBeCallableWith()
    expectTypeOf(svc.imports.salesNav.search).toBeFunction()
    expectTypeOf(svc.linkedin.draft.approveMany).toBeFunction()
  })

  it("refuses what the schema would refuse", () => {
    // @ts-expect-error a required field lacks
    svc.offers.delete({})
    // @ts-expect-error there is no such field
    svc.offers.delete({ offer_id: "off_1", offerId: "off_1" })
    // @ts-expect-error a field has another type
    svc.leads.upsert({ email: 1 })
    // @ts-expect-error a status is one of a few words
    svc.leads.setStatus({ lead_id: "ld_1", status: "Asleep" })
    // @ts-expect-error there is no such option
    svc.leads.upsert({ email: "grace@example.com" }, { dry: true })
    // @ts-expect-error there is no such command
    svc.leads.burn({})
  })

  it("is the same as a run by id", () => {
    expectTypeOf<Parameters<typeof svc.leads.upsert>[0]>().toEqualTypeOf<
      Command.InputEncodedOf<Extract<Commands, { readonly id: "lead.upsert" }>>
    >()
    // @ts-expect-error there is no such command
    svc.commands.run("lead.burn", {})
    // @ts-expect-error a required field lacks
    svc.commands.run("offer.delete", {})
  })
})

const parts = {
  id: "offer.word-count",
  title: "Count the words of an offer",
  summary: "Count the words of an offer",
  description: "Returns how many words the offer has.",
  whenToUse: "Before a mission.",
  category: "offers",
  risk: "read",
  scope: "offers:read",
  input: Schema.Struct({ offer_id: Schema.String }),
  output: Schema.Struct({ words: Schema.Int }),
  failures: [NotFound],
  examples: [{ title: "The sample offer", input: { offer_id: "sample-offer" } }]
} as const
const run = ({ offer_id }: { readonly offer_id: string }): Effect.Effect<{ readonly words: number }, NotFound> =>
  Effect.fail(new NotFound({ kind: "offer", id: offer_id }))
const CountWords = Command.make({ ...parts, run })

describe("a command of a host", () => {
  it("is a method beside the others", async () => {
    const own = await createSvc({ commands: [CountWords] })
    expectTypeOf(own.offers.wordCount).returns.resolves.toEqualTypeOf<{ readonly words: number }>()
    expectTypeOf(own.offers.delete).toEqualTypeOf(svc.offers.delete)
    expectTypeOf(own.as).returns.toEqualTypeOf(own)
    const plain = await createSvc()
    expectTypeOf(plain).toEqualTypeOf<Svc>()
    // @ts-expect-error it is not a command of the product
    plain.offers.wordCount({ offer_id: "sample-offer" })
  })

  it("needs only what the product's own commands need", () => {
    const needy = Command.make({ ...parts, run: (input) => Effect.andThen(Effect.service(Unknown), run(input)) })
    // @ts-expect-error nothing gives the service that it needs
    createSvc({ commands: [needy] })
  })
})

describe("a command of a host without Effect", () => {
  const ping = defineCommand({
    id: "crm.ping",
    summary: "Ping",
    risk: "mutate",
    scope: "leads:write",
    input: z.object({ name: z.string(), times: z.number().default(1) }),
    run: async ({ times }, { caller, signal, svc }) => {
      expectTypeOf(times).toEqualTypeOf<number>()
      expectTypeOf(caller).toHaveProperty("organizationId")
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
      expectTypeOf(svc.leads.upsert).returns.resolves.toHaveProperty("lead_id").toEqualTypeOf<string>()
      // @ts-expect-error the run decides about dry runs
      svc.leads.upsert({ email: "grace@example.com" }, { dryRun: true })
      return { pong: times }
    }
  })
  const plain = defineCommand({
    id: "crm.plain",
    summary: "Plain",
    risk: "read",
    scope: "leads:read",
    run: () => ({ ok: true })
  })

  it("is a method with the input of its schema and the output of its function", async () => {
    const own = await createSvc({ commands: [ping, plain, CountWords] })
    expectTypeOf(own.crm.ping).parameter(0).toEqualTypeOf<{ name: string; times?: number | undefined }>()
    expectTypeOf(own.crm.ping).returns.resolves.toEqualTypeOf<{ pong: number }>()
    expectTypeOf(own.crm.plain).toBeCallableWith()
    expectTypeOf(own.crm.plain()).resolves.toEqualTypeOf<{ ok: boolean }>()
    expectTypeOf(own.offers.wordCount).returns.resolves.toEqualTypeOf<{ readonly words: number }>()
    own.commands.run("crm.ping", { name: "Ada" })
    // @ts-expect-error a required field lacks
    own.crm.ping({})
    // @ts-expect-error there is no such command
    own.crm.pong({})
    // @ts-expect-error there is no such scope
    defineCommand({ ...plain, scope: "crm:read" })
  })

  it("has a resource whose parameters are those of its URI", () => {
    const parts = { name: "crm-contact", summary: "Contact", scope: "leads:read" } as const
    defineResource({
      ...parts,
      uri: "svc://crm/{kind}/{id}",
      read: (params) => {
        expectTypeOf(params).toEqualTypeOf<Readonly<Record<"kind" | "id", string>>>()
        return {}
      }
    })
    // @ts-expect-error there is no such parameter
    defineResource({ ...parts, uri: "svc://crm/{id}", read: ({ name }) => ({ name }) })
  })
})

describe("a declaration", () => {
  it("names every text, schema and example", () => {
    const { summary: _, ...untold } = parts
    // @ts-expect-error the summary lacks
    Command.make({ ...untold, run })
    // @ts-expect-error an example at least
    Command.make({ ...parts, examples: [], run })
    // @ts-expect-error there is no such scope
    Command.make({ ...parts, scope: "offers:burn", run })
    // @ts-expect-error the run gives another output
    Command.make({ ...parts, run: () => Effect.succeed({ letters: 1 }) })
  })

  it("names the failures that its run can end with, and no others", () => {
    expectTypeOf<Command.FailureOf<typeof CountWords>["code"]>().extract<"NOT_FOUND">().toEqualTypeOf<"NOT_FOUND">()
    // @ts-expect-error NotFound is not declared
    Command.make({ ...parts, failures: [], run })
    const { failures: _, ...silent } = parts
    // @ts-expect-error a list is required, if it is an empty one
    Command.make({ ...silent, run })
    const excess = Command.make({ ...parts, run: () => Effect.succeed({ words: 1 }) })
    expectTypeOf(excess).toEqualTypeOf<{ readonly id: "offer.word-count"; readonly neverHappens: NotFound }>()
    // @ts-expect-error what declares a failure that never happens is no command
    createSvc({ commands: [excess] })
  })

  it("is checked where its run takes an input apart", () => {
    Command.make({
      ...parts,
      failures: [],
      // @ts-expect-error NotFound is not declared
      run: Effect.fnUntraced(function* ({ offer_id }) {
        if (offer_id === "") return yield* new NotFound({ kind: "offer" })
        return { words: 1 }
      })
    })
    const excess = Command.make({
      ...parts,
      run: Effect.fnUntraced(function* ({ offer_id }) {
        yield* Effect.log(offer_id)
        return { words: 1 }
      })
    })
    expectTypeOf(excess).toEqualTypeOf<{ readonly id: "offer.word-count"; readonly neverHappens: NotFound }>()
  })
})
