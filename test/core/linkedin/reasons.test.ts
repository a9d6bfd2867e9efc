/** The table of reasons: sentences that people read, commands that exist, and every code of a provider. */

import { assert, describe, it } from "@effect/vitest"
import { commands } from "#core/commands.ts"
import { refusalKinds } from "#core/outreach/provider/LinkedInAccount.ts"
import { clauseOf, reasonTable } from "#core/outreach/reasons.ts"

describe("reasons", () => {
  it("are one short sentence each, none said of two", () => {
    const texts = reasonTable.map(({ text }) => text)
    assert.lengthOf(new Set(texts), texts.length)
    for (const text of texts) assert.match(text, /^[A-Z][^.]{3,80}\.$/)
  })

  it("name commands that exist, and somebody who can use them", () => {
    const ids = new Set<string>(commands.map(({ id }) => id))
    for (const { code, command, who } of reasonTable) {
      if (command === null) continue
      assert.isTrue(ids.has(command), `${code}: ${command}`)
      assert.isTrue(who !== "operator", `${code} is changed with a command of an organization`)
    }
  })

  it("know every refusal of a provider, and no other text", () => {
    for (const kind of refusalKinds) assert.isDefined(clauseOf(kind))
    assert.isUndefined(clauseOf("Checked manually."))
    assert.isUndefined(clauseOf("constructor"))
  })
})
