/**
 * The official conformance suite, every scenario that applies.
 *
 * Most scenarios call tools, prompts and resources of a test server by name: the server of this test has them, since it was
 * started with SVC_MCP_CONFORMANCE=1. What asks clients for something does not apply: this server never does.
 * Source: issue "passes all applicable scenarios"; contract 7 "MCP".
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { conformance, keyedDoor, listScenarios } from "../support/mcpConformance.ts"
import { type RunningSvc, startSvc } from "../support/svcProcess.ts"

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
  let server: RunningSvc
  let door: Awaited<ReturnType<typeof keyedDoor>>

  beforeAll(async () => {
    const env = { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0", SVC_MCP_CONFORMANCE: "1" }
    server = await startSvc(["dev", "--sample"], { env })
    door = await keyedDoor(server.url, String(server.ready["api_key"]))
  })
  afterAll(async () => {
    await door.close()
    await server.stop()
  })

  it.for(applicable)("%s", async (scenario) => {
    const { passed, text } = await conformance(`${door.url}/mcp`, scenario)
    assert.isTrue(passed, text)
    assert.match(text, /, 0 failed,/)
  })

  it("has no scenario that nobody thought of", async () => {
    const known = [...applicable, ...Object.keys(notApplicable)].sort()
    assert.deepStrictEqual([...(await listScenarios())].sort(), known)
  })
})
