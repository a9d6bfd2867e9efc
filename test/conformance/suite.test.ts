/**
 * The official conformance suite, every scenario that applies: its released version, and its newest pre-release, the latter
 * also with the revision that has no handshake for every scenario.
 *
 * Most scenarios call tools, prompts and resources by name: the server of this test has them beside the service's own.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type Conformance, conformance, type Suite } from "./runSuite.ts"
import { type SuiteServer, startSuiteServer } from "./suiteServer.ts"

/** Scenarios that apply in every run. */
const always = [
  "completion-complete",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-image",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-mixed-content",
  "tools-call-error",
  "tools-call-with-progress",
  "json-schema-2020-12",
  "resources-list",
  "resources-read-text",
  "resources-read-binary",
  "resources-templates-read",
  "prompts-list",
  "prompts-get-simple",
  "prompts-get-with-args",
  "prompts-get-embedded-resource",
  "prompts-get-with-image",
  "dns-rebinding-protection",
  // Passes on a server without sessions, and says so.
  "server-sse-multiple-streams"
]

/** Those of revisions with a handshake. */
const handshake = [
  "server-initialize",
  "logging-set-level",
  "ping",
  "tools-call-with-logging",
  "resources-subscribe",
  "resources-unsubscribe",
  "tools-call-elicitation",
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
  "tools-call-sampling",
  // Passes on a server without sessions, and says so.
  "server-sse-polling"
]

/** Those of the revision without one. */
const stateless = [
  "server-stateless",
  "sep-2164-resource-not-found",
  "caching",
  "http-header-validation",
  "input-required-result-unsupported-methods",
  "input-required-result-basic-elicitation",
  "input-required-result-basic-sampling",
  "input-required-result-basic-list-roots",
  "input-required-result-request-state",
  "input-required-result-multiple-input-requests",
  "input-required-result-multi-round",
  "input-required-result-missing-input-response",
  "input-required-result-non-tool-request",
  "input-required-result-result-type",
  "input-required-result-tampered-state",
  "input-required-result-capability-check",
  "input-required-result-ignore-extra-params",
  "input-required-result-validate-input"
]

/** Those of extensions. An extension belongs to no revision, so runs of one revision do not have them. */
const extensions = [
  "sep-2640-skills-directory",
  "sep-2640-skills-enumeration",
  "sep-2640-skills-manifest",
  "tasks-lifecycle",
  "tasks-capability-negotiation",
  "tasks-wire-fields",
  "tasks-request-state-removal",
  "tasks-mrtr-input",
  "tasks-request-headers",
  "tasks-dispatch-and-envelope",
  "tasks-status-notifications",
  "tasks-required-task-error",
  "tasks-mrtr-composition"
]

/** Scenarios that do not apply, and why. */
const notApplicable: Readonly<Record<string, string>> = {
  "http-custom-header-server-validation": "wants a tool with x-mcp-header in its schema; no tool here has one"
}

interface Run {
  readonly name: string
  readonly suite: Suite
  readonly revision?: string
  readonly applicable: ReadonlyArray<string>
}

const next = "mcp-conformance-next"

const runs: ReadonlyArray<Run> = [
  { name: "released", suite: "@modelcontextprotocol/conformance", applicable: [...always, ...handshake] },
  {
    name: "pre-release",
    suite: next,
    applicable: [...always, ...handshake, ...stateless, ...extensions, "server-session-lifecycle"]
  },
  {
    name: "pre-release, 2026-07-28",
    suite: next,
    revision: "2026-07-28",
    applicable: [...always, ...stateless]
  }
]

describe("the official conformance suite", () => {
  let server: SuiteServer
  const met = new Set<string>()
  beforeAll(async () => {
    server = await startSuiteServer()
  })
  afterAll(() => server.close())

  describe.for(runs)("$name", ({ applicable, revision, suite }) => {
    let results: ReadonlyMap<string, Conformance>
    beforeAll(async () => {
      results = await conformance(suite, server.url, revision)
      for (const scenario of results.keys()) met.add(scenario)
    })

    it.for(applicable)("%s", (scenario) => {
      const result = results.get(scenario)
      assert.strictEqual(result?.failed, 0, result?.checks)
    })

    it("has no scenario that nobody thought of", () => {
      const applying = [...results.keys()].filter((scenario) => !Object.hasOwn(notApplicable, scenario))
      assert.deepStrictEqual(applying.sort(), [...applicable].sort())
    })
  })

  it("still has every scenario that is listed as not applicable", () => {
    assert.deepStrictEqual(
      Object.keys(notApplicable).filter((scenario) => !met.has(scenario)),
      []
    )
  })
})
