/**
 * The official conformance suite: every scenario that applies to a server that has its own tools, prompts and resources.
 *
 * Most scenarios of the suite call tools, prompts and resources of a test server by name. A product that does not have them
 * is not wrong; those scenarios are listed here with what they want. Source: issue "passes all applicable scenarios".
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { conformance, keyedDoor, listScenarios } from "../support/mcpConformance.ts"
import { type RunningSvc, startSvc } from "../support/svcProcess.ts"

/** Scenarios that apply: they ask for what every server has. */
const applicable = [
  "server-initialize",
  "logging-set-level",
  "ping",
  "completion-complete",
  "tools-list",
  "resources-list",
  "prompts-list",
  "dns-rebinding-protection",
  // These two pass on a server without sessions, and say so.
  "server-sse-polling",
  "server-sse-multiple-streams"
]

/** Scenarios that do not apply, and why. */
const notApplicable: Readonly<Record<string, string>> = {
  "tools-call-simple-text": "wants the tool test_simple_text",
  "tools-call-image": "wants the tool test_image_content",
  "tools-call-audio": "wants the tool test_audio_content",
  "tools-call-embedded-resource": "wants the tool test_embedded_resource",
  "tools-call-mixed-content": "wants the tool test_multiple_content_types",
  "tools-call-with-logging": "wants the tool test_tool_with_logging",
  "tools-call-error": "wants the tool test_error_handling",
  "tools-call-with-progress": "wants the tool test_tool_with_progress",
  "tools-call-sampling": "wants the tool test_sampling; this server asks its clients nothing",
  "tools-call-elicitation": "wants the tool test_elicitation; this server asks its clients nothing",
  "json-schema-2020-12": "wants a tool with $schema and $defs, which clients refuse and this server never publishes",
  "elicitation-sep1034-defaults": "wants a tool that asks the client",
  "elicitation-sep1330-enums": "wants a tool that asks the client",
  "resources-read-text": "wants the resource test://static-text",
  "resources-read-binary": "wants the resource test://static-binary",
  "resources-templates-read": "wants the template test://template/{id}/data",
  "resources-subscribe": "wants subscriptions, which this server does not declare",
  "resources-unsubscribe": "wants subscriptions, which this server does not declare",
  "prompts-get-simple": "wants the prompt test_simple_prompt",
  "prompts-get-with-args": "wants the prompt test_prompt_with_arguments",
  "prompts-get-embedded-resource": "wants the prompt test_prompt_with_embedded_resource",
  "prompts-get-with-image": "wants the prompt test_prompt_with_image"
}

describe("the official conformance suite", () => {
  let server: RunningSvc
  let door: Awaited<ReturnType<typeof keyedDoor>>

  beforeAll(async () => {
    server = await startSvc(["dev", "--sample"], { env: { SVC_DATABASE_URL: "memory:", SVC_RATE_LIMIT: "0" } })
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
