/** Rows of agents, offers, missions, leads and drafts as they are stored. */

import type { AgentRow } from "#core/agents/Agent.ts"
import { emptyContent, type LeadRow } from "#core/leads/Lead.ts"
import type { MissionRow } from "#core/missions/Mission.ts"
import type { Offer } from "#core/offers/Offer.ts"
import { noReview } from "#core/outreach/LinkedInDraft.ts"
import { type DraftRow, freshRow, type Invitation, type Message } from "#core/outreach/Transmission.ts"

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
  steps: [],
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
  snoozedUntil: null,
  awayUntil: null,
  draftRequest: null,
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
  review: noReview,
  steps: [],
  evidence: [],
  followUp: null,
  createdBy: { userId: "usr_1", actorKind: "USER" },
  approvedBy: null,
  approved: null,
  approvedAt: null,
  cancelledAt: null,
  dispatchedAt: null,
  createdAt: instant(1),
  updatedAt: instant(1),
  ...changes
})

/** A queued message to `ld_1` by `agt_1` through `acc_1`, created at second 2. */
export const messageRow = (
  organizationId: string,
  id: string,
  draftId: string,
  changes: Partial<Message> = {}
): Message => ({
  ...freshRow,
  kind: "message",
  id,
  organizationId,
  draftId,
  missionId: null,
  agentId: "agt_1",
  leadId: "ld_1",
  accountId: "acc_1",
  state: "queued",
  bodyText: "Hi",
  invite: false,
  invitationNote: null,
  invitedAt: null,
  notBefore: instant(2),
  createdAt: instant(2),
  updatedAt: instant(2),
  ...changes
})

/** A queued invitation of `acc_1`, created at second 2. */
export const invitationRow = (organizationId: string, leadId: string, notBefore: string): Invitation => ({
  ...freshRow,
  kind: "invitation",
  id: `inv_${leadId}`,
  organizationId,
  draftId: null,
  missionId: null,
  agentId: "agt_1",
  leadId,
  accountId: "acc_1",
  state: "queued",
  note: null,
  approved: { recipient: [], sender: "acc_1", mission: null, wording: "" },
  requestedBy: { userId: "usr_1", actorKind: "USER" },
  externalId: null,
  notBefore,
  createdAt: instant(2),
  updatedAt: instant(2)
})

/** What a caller says of an offer. */
export const offer = { name: "Invoices", one_liner: "They book themselves", value_proposition: "Four days earlier" }
