/** 50 kB of anything is answered at once and nothing throws. */

import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { normalizeEmail } from "#core/kernel/schema/Email.ts"
import { memberIdOf } from "#core/leads/identity/Identity.ts"
import { readIdentityInput } from "#core/leads/identity/IdentityInput.ts"
import { parseLinkedInId, parseLinkedInProfile, parseSalesNavLead } from "#core/leads/identity/LinkedInProfile.ts"
import { cpuMillis } from "../../../support/cpuMillis.ts"
import { effort } from "../../../support/effort.ts"
import { garbage, hugeStrings } from "./arbitraries.ts"

const options = { deriveMemberId: true }
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  normalizeEmail,
  parseLinkedInProfile: (text) => parseLinkedInProfile(text, options),
  parseLinkedInId: (text) => parseLinkedInId(text, options),
  parseSalesNavLead: (text) => parseSalesNavLead(text, options),
  memberIdOf,
  readIdentityInput: (text) => readIdentityInput({ custom_id: text }, options)
}

describe("hostile input", () => {
  for (const [name, reader] of Object.entries(readers)) {
    it(`${name} takes 50 kB in linear time`, () => {
      // A quadratic reader needs seconds for one of these. The second try is without the work of the compiler.
      const isSlow = (text: string) => cpuMillis(() => reader(text)) > 150
      const slow = hugeStrings.filter((text) => isSlow(text) && isSlow(text))
      assert.deepStrictEqual(
        slow.map((text) => text.slice(0, 60)),
        []
      )
    })

    it(`${name} never throws`, () => {
      fc.assert(
        fc.property(garbage, (text) => void reader(text)),
        { numRuns: effort(1_000) }
      )
    })
  }
})
