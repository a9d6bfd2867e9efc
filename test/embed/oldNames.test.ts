/** Options by the names that they had before: they still work, and say their new name once. */
import { assert, describe, it, vi } from "@effect/vitest"
import type { SvcOptions } from "@svc/embed"

const env = { SVC_LOG_FORMAT: "json", SVC_LOG_LEVEL: "warn" }

/** What a request to a service gets, with these options. */
const statusOf = async (options: SvcOptions): Promise<number> => {
  const { createSvc } = await import("@svc/embed")
  const svc = await createSvc({ env, worker: false, defaultScopes: ["offers:read"], ...options })
  try {
    return (await svc.fetch(new Request("http://host/api/v1/offers"))).status
  } finally {
    await svc.close()
  }
}

const callerOf = () => ({ userId: "ada" })

describe("an earlier name of an option", () => {
  it("means the same as the new one, and is said once in a process", async () => {
    // Other tests of this process may have used the names.
    vi.resetModules()
    const logged = vi.spyOn(console, "error").mockImplementation(() => {})
    const old: SvcOptions = { databaseUrl: "memory:", callerOf, settings: { publicUrl: "https://svc.example.com" } }
    const current: SvcOptions = { database: "memory:", auth: [callerOf], publicUrl: "https://svc.example.com" }
    try {
      const said = () =>
        logged.mock.calls.flatMap(([line]) => String(JSON.parse(String(line)).message).match(/^createSvc: .*/) ?? [])
      assert.deepStrictEqual([await statusOf(current), said()], [200, []])
      assert.deepStrictEqual([await statusOf(old), await statusOf(old)], [200, 200])
      assert.deepStrictEqual(said(), [
        "createSvc: databaseUrl is deprecated. Use database instead.",
        "createSvc: callerOf is deprecated. Use auth instead.",
        "createSvc: settings.publicUrl is deprecated. Use publicUrl instead."
      ])
    } finally {
      logged.mockRestore()
    }
  })

  it("gives way to the new one", async () => {
    assert.strictEqual(await statusOf({ database: "memory:", auth: ["keys"], callerOf }), 401)
  })
})
