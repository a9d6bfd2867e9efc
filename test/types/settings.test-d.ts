/** `settings` of `createSvc()`: the settings of an embedded service, with the types of their values. */
import { createSvc, type SvcSettings } from "@svc/embed"
import { describe, expectTypeOf, it } from "vitest"
import type { EmbeddedName, Given } from "#embed/readHostSettings.ts"

describe("settings", () => {
  it("are all those that an embedded service reads", () => {
    expectTypeOf<SvcSettings>().toEqualTypeOf<{ readonly [Name in EmbeddedName]?: Given<Name> | undefined }>()
    expectTypeOf<SvcSettings["sendHoldSeconds"]>().toEqualTypeOf<number | undefined>()
    expectTypeOf<SvcSettings["linkedinPacing"]>().toEqualTypeOf<"on" | "off" | undefined>()
    expectTypeOf<SvcSettings["unipileApiKey"]>().toEqualTypeOf<string | undefined>()
    expectTypeOf<SvcSettings["smtp"]>().toEqualTypeOf<string | undefined>()
    expectTypeOf<SvcSettings["allowPrivateTargets"]>().toEqualTypeOf<boolean | undefined>()
  })

  it("refuse other names and values", () => {
    // @ts-expect-error there is no such setting
    createSvc({ settings: { sendHoldSecond: 0 } })
    // @ts-expect-error only a server reads it
    createSvc({ settings: { port: 4700 } })
    // @ts-expect-error it is a number
    createSvc({ settings: { sendHoldSeconds: "0" } })
    // @ts-expect-error it is one of two words
    createSvc({ settings: { linkedinPacing: "maybe" } })
  })
})
