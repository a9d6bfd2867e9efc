/** The app for a draft as a resource, and the tools whose results it shows. */
import { assert, describe, it } from "@effect/vitest"
import { commands } from "#core/commands.ts"
import { openService } from "../support/httpService.ts"
import { post, resultOf, rpc } from "../support/mcpHttp.ts"

const uri = "ui://svc/review-draft"

type Options = NonNullable<Parameters<typeof openService>[0]>

const readApp = async (options: Options) => {
  const { key, svc } = await openService(options)
  const { contents } = Object(resultOf(await post(svc.fetch, rpc("resources/read", { uri }), { key })))
  await svc.close()
  return contents[0]
}

describe("the app for a draft", () => {
  it("is one document that declares that it loads nothing", async () => {
    const { _meta, mimeType, text } = await readApp({ publicUrl: 'https://svc.example/"<x' })
    assert.strictEqual(mimeType, "text/html;profile=mcp-app")
    assert.deepStrictEqual(_meta.ui.csp, {
      connectDomains: [],
      resourceDomains: [],
      frameDomains: [],
      baseUriDomains: []
    })
    assert.notMatch(text, /\s(src|href)=/)
    assert.notMatch(text, /\bfetch\(|XMLHttpRequest|WebSocket|localStorage/)
    assert.include(text, 'name="svc-review" content="https://svc.example/&quot;&lt;x/review"')
  })

  it("has no link when there is no review page, or nobody knows where", async () => {
    for (const options of [{ http: { review: false } }, { publicUrl: undefined }] as ReadonlyArray<Options>) {
      assert.include((await readApp(options)).text, 'name="svc-review" content=""')
    }
  })

  it("is named by tools whose result has one draft", async () => {
    const { key, svc } = await openService()
    const { tools } = Object(resultOf(await post(svc.fetch, rpc("tools/list"), { key, toolset: "all" })))
    const naming: ReadonlyArray<string> = tools.flatMap(({ _meta, name }: Readonly<Record<string, unknown>>) =>
      Object(Object(_meta).ui).resourceUri === uri ? [name] : []
    )
    assert.deepStrictEqual([...naming].sort(), ["linkedin_draft_create", "linkedin_draft_get", "review_get"])
    assert.isTrue(
      commands.some(({ id }) => id === "review.get"),
      "which the app reads with"
    )
    const { resources } = Object(resultOf(await post(svc.fetch, rpc("resources/list"), { key })))
    assert.isTrue(resources.some((resource: Readonly<Record<string, unknown>>) => resource["uri"] === uri))
    await svc.close()
  })
})
