import { assert, it } from "@effect/vitest"
import { parseUrl } from "#core/kernel/schema/TextRules.ts"
import { sourcesIn } from "../support/sources.ts"

it("a URL with letters beyond ASCII is one however often it is read, optimized or not", () => {
  let refused = 0
  for (let times = 0; times < 20_000; times++)
    if (parseUrl("https://münchen.de/")?.host !== "xn--mnchen-3ya.de") refused++
  assert.strictEqual(refused, 0)
  assert.isUndefined(parseUrl("münchen"))
})

it("no source asks URL.canParse, which Node 20 and 22 answer wrongly", () => {
  const asking = sourcesIn("packages", ".ts").filter(({ text }) => /URL\.canParse\(/.test(text))
  assert.deepStrictEqual(
    asking.map(({ path }) => path),
    []
  )
})
