/** What a host with the service mounted at `/outreach` must do, whatever its framework and runtime. */
import { assert } from "@effect/vitest"
import { at, type Reply, readReply, requestInit, smallOffer, textAt } from "./httpService.ts"

/** Asks a host by method and path. */
export type AskHost = (method: string, path: string, json?: unknown) => Promise<Reply>

/** Asks a host as a user that it knows by a header. */
export const askingAt =
  (origin: string): AskHost =>
  async (method, path, json) =>
    readReply(
      await fetch(`${origin}${path}`, requestInit(method, { key: null, json, headers: { "x-user": "lea" } }, ""))
    )

/** Every link names the mount, and nothing of the service is found elsewhere. */
export const liesBelow = async (ask: AskHost, mount: string): Promise<void> => {
  const made = await ask("POST", `${mount}/api/v1/agents?response_profile=full`, { firstName: "A", lastName: "B" })
  assert.match(made.headers.get("location") ?? made.text, new RegExp(`^${mount}/api/v1/agents/a-b`))
  assert.strictEqual((await ask("GET", made.headers.get("location") ?? "")).status, 200)
  const document = await ask("GET", `${mount}/api/v1/openapi.json`)
  assert.deepStrictEqual(at(document.body, "servers"), [{ url: mount }])
  assert.include((await ask("GET", `${mount}/llms.txt`)).text, `(${mount}/docs`)
  assert.include((await ask("GET", `${mount}/docs`)).text, `is <code>https://svc.example.com${mount}</code>`)
  for (const path of [`${mount}/review`, `${mount}/review/d/drf_1`]) {
    const sources = [...(await ask("GET", path)).text.matchAll(/(?:src|href)="([^"#:]+)"/g)]
    assert.isNotEmpty(sources, path)
    for (const [, source = ""] of sources) {
      assert.strictEqual((await ask("GET", new URL(source, `http://host${path}`).pathname)).status, 200, source)
    }
  }
  for (const path of ["/api/v1/agents", `${mount}x/api/v1/agents`, mount, `${mount}/`, `${mount}${mount}/docs`])
    assert.notInclude((await ask("GET", path)).text, '"agents"', path)
}

/** A host of the embedding guide: links, bodies, users, failures, and its own page. */
export const worksAsHost = async (ask: AskHost): Promise<void> => {
  await liesBelow(ask, "/outreach")
  const made = await ask("POST", "/outreach/api/v1/offers", { ...smallOffer, description: "é 漢字" })
  assert.strictEqual(made.status, 201, made.text)
  assert.strictEqual(at(made.body, "data.offer.description"), "é 漢字")
  const changed = await ask("PATCH", `/outreach/api/v1/offers/${textAt(made.body, "data.offer.id")}`, { name: "New" })
  assert.strictEqual(at(changed.body, "data.offer.name"), "New", changed.text)
  assert.strictEqual(at((await ask("GET", "/outreach/api/v1/me")).body, "data.user_id"), "lea")
  assert.strictEqual(at((await ask("POST", "/outreach/api/v1/offers", {})).body, "error.code"), "INVALID_INPUT")
  assert.strictEqual((await ask("GET", "/outreach/api/v1/none")).status, 404)
  assert.include((await ask("GET", "/")).text, "mine")
}
