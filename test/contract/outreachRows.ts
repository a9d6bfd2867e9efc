/** Rows of agents, offers, missions, leads and drafts for contract suites, and the organizations they belong to. */
import type { AgentRow } from "@svc/core/agents/Agent"
import { emptyContent, type LeadRow } from "@svc/core/leads/Lead"
import type { DraftRow } from "@svc/core/linkedin/DraftRow"
import type { MissionRow } from "@svc/core/missions/Mission"
import type { Offer } from "@svc/core/offers/Offer"
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

/** An offer with nothing but a name and what it says in short. */
export const offerRow = (organizationId: string, id: string, name: string): Offer => ({
  id,
  organizationId,
  name,
  oneLiner: "One line",
  valueProposition: "Gain",
  description: null,
  landingPageUrl: null,
  salesBriefUrl: null,
  isDraft: false,
  lastUsedAt: null,
  references: [],
  problemSolutions: [],
  differentiators: [],
  resources: [],
  createdAt: instant(0),
  updatedAt: instant(0)
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

/** A new lead with nothing but a name. */
export const leadRow = (organizationId: string, id: string, changes: Partial<LeadRow> = {}): LeadRow => ({
  ...emptyContent,
  id,
  organizationId,
  name: `Lead ${id}`,
  status: "New",
  provenance: {},
  lastInboundAt: null,
  lastOutboundAt: null,
  mergedInto: null,
  createdAt: instant(0),
  updatedAt: instant(0),
  ...changes
})

/** A person's draft for `ld_1` by `agt_1` that waits for review. */
export const draftRow = (organizationId: string, id: string, changes: Partial<DraftRow> = {}): DraftRow => ({
  id,
  organizationId,
  leadId: "ld_1",
  agentId: "agt_1",
  missionId: null,
  status: "PENDING_REVIEW",
  variations: ["Hi"],
  selectedIndex: null,
  selectedBodyText: null,
  queueItemId: null,
  messageId: null,
  externalMessageId: null,
  createdBy: { userId: "usr_1", actorKind: "USER" },
  approvedBy: null,
  approvedAt: null,
  cancelledAt: null,
  dispatchedAt: null,
  createdAt: instant(1),
  updatedAt: instant(1),
  ...changes
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
