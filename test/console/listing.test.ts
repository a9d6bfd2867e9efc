/** Lists that are read page by page. */
import { assert, describe, it } from "@effect/vitest"
import { readOn } from "#console/place/readOn.ts"

describe("a page of a list", () => {
  const pages = [[], [], ["a"], [], ["b"], []]
  const read = async ({ cursor = "0" }: { readonly cursor?: string }) => {
    const at = Number(cursor)
    const next_cursor = at + 1 < pages.length ? String(at + 1) : null
    return { ok: true as const, data: { items: pages[at] ?? [], next_cursor }, held: "" as const, warnings: [] }
  }
  const pageAfter = async (cursor?: string) => {
    const outcome = await readOn(read, cursor === undefined ? { limit: 10 } : { limit: 10, cursor })
    return outcome.ok ? [...outcome.data.items, outcome.data.next_cursor] : []
  }

  it("is the next one that holds something, or the last one", async () => {
    assert.deepStrictEqual(await pageAfter(), ["a", "3"])
    assert.deepStrictEqual(await pageAfter("3"), ["b", "5"])
    assert.deepStrictEqual(await pageAfter("5"), [null])
  })

  it("is looked for in a bounded number of them", async () => {
    let asked = 0
    const endless = async () => ({
      ok: true as const,
      data: { items: [], next_cursor: String(++asked) },
      held: "" as const,
      warnings: []
    })
    await readOn(endless, { limit: 10 })
    assert.strictEqual(asked, 40)
  })
})
