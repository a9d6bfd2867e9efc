/**
 * The official conformance suite's scenarios for authorization servers, which its newest pre-release has (the released version
 * has none for servers, only for clients).
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { freePort } from "../support/freePort.ts"
import { allowInBrowser } from "../support/oauthBrowser.ts"
import { type RunningSvc, startSvc, temporaryFolder } from "../support/svcProcess.ts"
import { authorizationConformance, type Conformance, serverScenarios } from "./runSuite.ts"

describe("the official conformance suite, for authorization servers", () => {
  let server: RunningSvc
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let results: ReadonlyMap<string, Conformance>
  beforeAll(async () => {
    folder = await temporaryFolder()
    const env = { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0" }
    server = await startSvc(["dev"], { cwd: folder.path, env })
    const port = await freePort()
    const registered = await fetch(`${server.url}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirect_uris: [`http://127.0.0.1:${port}/callback`] })
    })
    const { client_id } = Object(await registered.json())
    const person = async (url: URL) => void (await fetch(await allowInBrowser(url, String(server.ready["api_key"]))))
    results = await authorizationConformance(server.url, client_id, port, person)
  })
  afterAll(async () => {
    await server.stop()
    await folder.remove()
  })

  it.for(["authorization-server-metadata-endpoint", "authorization-code-grant"])("%s", (scenario) => {
    const result = results.get(scenario)
    assert.strictEqual(result?.failed, 0, result?.checks)
    assert.notMatch(result?.checks ?? "", /"status": "(WARNING|SKIPPED|FAILURE)"/)
  })

  it("has no other scenario, and the released suite none", async () => {
    assert.deepStrictEqual([...results.keys()].sort(), [
      "authorization-code-grant",
      "authorization-server-metadata-endpoint"
    ])
    assert.deepStrictEqual(await serverScenarios("@modelcontextprotocol/conformance"), [])
  })
})
