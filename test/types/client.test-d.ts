/** `createClient()`: what an embedded service has, with the same types. */
import { type Client, type ClientOptions, createClient, items, pages } from "@svc/client"
import * as embed from "@svc/embed"
import { describe, expectTypeOf, it } from "vitest"

declare const svc: embed.Svc
declare const remote: Client

describe("a client", () => {
  it("is what an embedded service is, too", () => {
    expectTypeOf<embed.Svc>().toExtend<Client>()
    expectTypeOf(createClient).parameter(0).toEqualTypeOf<ClientOptions>()
    expectTypeOf(remote.leads.upsert).parameter(0).toEqualTypeOf<Parameters<typeof svc.leads.upsert>[0]>()
    expectTypeOf(remote.leads.upsert).returns.toEqualTypeOf<ReturnType<typeof svc.leads.upsert>>()
    expectTypeOf(remote.imports.salesNav.search).toBeFunction()
    expectTypeOf(remote.commands.failed).toEqualTypeOf<typeof svc.commands.failed>()
    expectTypeOf(embed.SvcError).toEqualTypeOf<typeof import("@svc/client").SvcError>()
    // @ts-expect-error only an embedded service is told who acts
    remote.offers.list({}, { actor: { userId: "usr_1" } })
    // @ts-expect-error there is no such command
    remote.leads.burn({})
  })
})

describe("a list", () => {
  it("gives pages and items of its type", async () => {
    for await (const page of pages(remote.leads.search, { limit: 5 }))
      expectTypeOf(page).toEqualTypeOf<Awaited<ReturnType<typeof svc.leads.search>>>()
    for await (const lead of items(remote.leads.search, {}))
      expectTypeOf(lead).toEqualTypeOf<Awaited<ReturnType<typeof svc.leads.search>>["leads"][number]>()
    for await (const offer of items(svc.offers.list, {}, { actor: { userId: "usr_1" } }))
      expectTypeOf(offer).toEqualTypeOf<Awaited<ReturnType<typeof svc.offers.list>>["offers"][number]>()
    for await (const page of pages(remote.imports.leads.list, { import_id: "imp_1" }))
      expectTypeOf(page.rows[0]?.row).toEqualTypeOf<number | undefined>()
  })

  it("has a cursor, and one list for items", () => {
    // @ts-expect-error pages of this list hold two
    items(remote.imports.leads.list, { import_id: "imp_1" })
    // @ts-expect-error a command without pages
    pages(remote.leads.upsert, { email: "ada@example.com" })
    // @ts-expect-error there is no such filter
    items(remote.offers.list, { nmae: "Ada" })
    // @ts-expect-error there is no such option
    items(remote.offers.list, {}, { actor: { userId: "usr_1" } })
  })
})
