/**
 * The official conformance suite, every scenario that applies.
 *
 * Most scenarios call tools, prompts and resources by name: the server of this test has them beside the service's own.
 * Scenarios in which a server asks its client for something do not apply: this one never does.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Conformance, conformance } from "./runSuite.ts"
import { type SuiteServer, startSuiteServer } from "./suiteServer.ts"

/** Scenarios that apply. */
const applicable = [
  "server-initialize",
  "logging-set-level",
  "ping",
  "completion-complete",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-with-logging",
  "tools-call-error",
  "tools-call-with-progress",
  "json-schema-2020-12",
  "resources-list",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "resources-subscribe",
  "resources-unsubscribe",
  "prompts-list",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
  "dns-rebinding-protection",
  // These two pass on a server without sessions, and say so.
  "server-sse-polling",
  "server-sse-multiple-streams"
]

/** Scenarios that do not apply, and why. */
const notApplicable: Readonly<Record<string, string>> = {
  "tools-call-sampling": "wants a tool that asks the client's model",
  "tools-call-elicitation": "wants a tool that asks the client's user",
  "elicitation-sep1034-defaults": "wants a tool that asks the client's user",
  "elicitation-sep1330-enums": "wants a tool that asks the client's user"
}

describe("the official conformance suite", () => {
  let server: SuiteServer
  let results: ReadonlyMap<string, Conformance>
  beforeAll(async () => {
    server = await startSuiteServer()
    results = await conformance(server.url)
  })
  afterAll(() => server.close())

  it.for(applicable)("%s", (scenario) => {
    const result = results.get(scenario)
    assert.strictEqual(result?.failed, 0, result?.checks)
  })

  it("has no scenario that nobody thought of", () => {
    const known = [...applicable, ...Object.keys(notApplicable)].sort()
    assert.deepStrictEqual([...results.keys()].sort(), known)
  })
})
