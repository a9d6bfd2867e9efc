/** Rows of agents and missions for contract suites, and the organizations they belong to. */
import type { AgentRow } from "@svc/core/agents/Agent"
import type { MissionRow } from "@svc/core/missions/Mission"
import { generateKey, hashSecret, parseKey } from "@svc/core/workspace/ApiKey"
import { Workspaces } from "@svc/core/workspace/Workspaces"
import * as Effect from "effect/Effect"

/** An instant of the tests, by its second. */
export const instant = (second: number): string => `2026-11-21T08:00:${String(second).padStart(2, "0")}.000Z`

/** An agent with nothing but names, created at a second. */
export const agentRow = (organizationId: string, id: string, handle: string, second = 0): AgentRow => ({
  id,
  organizationId,
  handle,
  firstName: "Ada",
  lastName: "Martin",
  jobTitle: "",
  avatarUrl: "",
  linkedinUrl: "",
  emailSignature: "",
  calendarUrl: "",
  timezone: "UTC",
  workingHours: {},
  personality: "",
  company: "",
  smartDeliverability: true,
  emailAccounts: [],
  createdAt: instant(second),
  updatedAt: instant(second),
  deletedAt: null
})

/** An active mission without links, `mis_${handle}`, created at a second. */
export const missionRow = (organizationId: string, handle: string, second = 0): MissionRow => ({
  id: `mis_${handle}`,
  organizationId,
  handle,
  name: `Mission ${handle}`,
  language: "en",
  status: "ACTIVE",
  beforeArchive: null,
  agentId: null,
  offerId: null,
  objective: "",
  description: "",
  channels: ["EMAIL"],
  emailReviewStrategy: "AUTO",
  emailReviewWebhookUrl: "",
  importType: "CSV",
  whoAreThey: "",
  whyWeContactThem: "",
  desiredAction: "",
  keyMessage: "",
  ctaUrl: "",
  toneInstructions: "",
  emailExamples: [],
  lastUsedAt: null,
  createdAt: instant(second),
  updatedAt: instant(second)
})

/** Creates an organization with a key that nobody knows. */
export const organization = (id: string) =>
  Effect.gen(function* () {
    const parsed = parseKey(generateKey())
    if (parsed === undefined) return yield* Effect.die("a generated key has a form of its own")
    yield* (yield* Workspaces).createOrganization(
      { id, name: id, createdAt: instant(0) },
      {
        keyId: parsed.keyId,
        organizationId: id,
        name: "first",
        userId: "usr_1",
        actorKind: "USER",
        mode: "full",
        scopes: ["admin"],
        secrets: [{ hash: hashSecret(parsed.secret), validUntil: null }],
        createdAt: instant(0),
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null
      }
    )
  })
