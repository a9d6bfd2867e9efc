/** The contract on PGlite: as few suites as call every method of every port. */
import { assert, describe, it } from "@effect/vitest"
import { importedOn } from "../contract/backends.ts"
import { selectedBackends } from "../support/backends.ts"
import { portCalls } from "../support/portCalls.ts"

const suites = [
  "agentRuns",
  "approvalRules",
  "audit",
  "auditRetention",
  "deliveries",
  "emails",
  "followUps",
  "hostOrganizations",
  "importEnrolment",
  "imports",
  "inbound",
  "journal",
  "lawfulBasis",
  "leadIdentifiers",
  "leadLifecycle",
  "mailboxes",
  "ownFields",
  "queueLimits",
  "resources",
  "review",
  "textRules",
  "usageLimits",
  "workspaces"
]

if (selectedBackends().has("pglite")) {
  portCalls.clear()
  // Another id than that of the file itself, which this process may have run before.
  await importedOn("pglite", async () => {
    for (const suite of suites) await import(`../contract/${suite}.test.ts?pglite`)
  })
}

describe.skipIf(!selectedBackends().has("pglite"))("every port", () => {
  it("is called in each of its methods", () => {
    assert.isAbove(portCalls.size, 100)
    assert.deepStrictEqual(
      [...portCalls].flatMap(([method, isCalled]) => (isCalled ? [] : [method])),
      []
    )
  })
})
