/** The review page as it is built. */
import { assert, describe, it } from "@effect/vitest"
import { buildPage } from "../../packages/console/build.js"

describe("the review page", () => {
  it("is small, names each asset by its content, and has nothing inline or from elsewhere", async () => {
    const { assets, html } = await buildPage()
    const bytes = [...assets.values()].reduce((sum, { brotli }) => sum + brotli.length, html.length)
    assert.isBelow(bytes, 120_000)
    assert.strictEqual(assets.size, 2)
    for (const name of assets.keys()) {
      assert.match(name, /^page-[\w-]{12}\.(js|css)$/)
      assert.include(html, `"assets/${name}"`)
    }
    assert.notMatch(html, /<script(?![^>]* src=)|<style| style=| on\w+=/)
    assert.notMatch(html, /https?:/)
    const texts = [...assets.values()].map(({ body }) => Buffer.from(body).toString())
    assert.deepStrictEqual(
      texts.flatMap((text) => text.match(/url\(|@import|https?:\/\/(?!www\.w3\.org)[\w.]+/g) ?? []),
      []
    )
  })
})
