/** Every resource of the service, in the order in which they are listed. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { GetAgent, ListAgents } from "../agents/commands.ts"
import { GetImport } from "../imports/commands.ts"
import type { AnyCommand } from "../kernel/command/Command.ts"
import { Actor } from "../kernel/command/Execution.ts"
import { NotFound } from "../kernel/failure/failures.ts"
import * as Resource from "../kernel/resource/Resource.ts"
import { GetLead } from "../leads/commands/readLeads.ts"
import { GetMission, ListMissions } from "../missions/commands.ts"
import { GetOffer, ListOffers } from "../offers/commands.ts"
import { ListAccounts } from "../outreach/commands/accounts.ts"
import { GetUsage, ListQueue } from "../outreach/commands/queue.ts"
import { DraftsRepo } from "../outreach/DraftsRepo.ts"
import { ListNextActions } from "../reports/commands.ts"
import { GetWorkspaceStatus } from "../reports/status/WorkspaceStatus.ts"
import { EventEnvelope, envelopeOf } from "../workspace/events/EventFeed.ts"
import { Workspaces } from "../workspace/Workspaces.ts"
import { emailReviews, HashedDraft, hashed, inbox, pendingDrafts, suppressions } from "./pagedResources.ts"
import { catalogResource, errorsResource, guideResource, limitsResource } from "./serviceResources.ts"

/** Page size of list resources; next_cursor continues in the list command. */
const listed = 25

const shownActions = 50
const shownEvents = 50

/** The resources; `svc://catalog` shows `commands`. The catalogue of Dispatch must include the resources' own commands. */
export const makeResources = (commands: ReadonlyArray<AnyCommand>) =>
  [
    Resource.ofCommand(GetWorkspaceStatus, {
      uri: "svc://status",
      name: "status",
      title: "Workspace status",
      summary: "Counts by state, LinkedIn accounts, warnings and version",
      description:
        "State of the workspace: offers, leads, missions, drafts, queued messages and imports by state, the health of " +
        "LinkedIn accounts, and what needs a person.",
      relatedCommands: ["workspace.status", "linkedin.draft.list", "import.list"],
      input: () => ({})
    }),
    ...pendingDrafts,
    Resource.make({
      uri: "svc://linkedin/drafts/{id}",
      name: "draft",
      title: "One LinkedIn draft",
      summary: "A LinkedIn draft with its content_hash",
      description: "The draft with its variations, lead, agent and mission, and the hash to send with an approval.",
      category: "linkedin",
      scope: "linkedin:read",
      relatedCommands: ["linkedin.draft.get", "linkedin.draft.update", "linkedin.draft.approve"],
      example: { id: "drf_SAMPLE00000000000000000001" },
      payload: HashedDraft,
      failures: [NotFound],
      read: Effect.fnUntraced(function* ({ id }) {
        const { organizationId } = yield* Actor
        const view = yield* (yield* DraftsRepo).find(organizationId, id)
        return view === undefined ? yield* new NotFound({ kind: "draft", id: id.slice(0, 64) }) : hashed(view)
      })
    }),
    Resource.ofCommand(GetLead, {
      uri: "svc://prospects/{id}",
      name: "prospect",
      title: "One prospect",
      summary: "A lead with everything needed to write to it",
      description: "The lead with its context: latest messages, open draft, missions and their offers, next action.",
      relatedCommands: ["lead.get", "lead.upsert", "linkedin.draft.create"],
      example: { id: "ld_SAMPLE00000000000000000001" },
      input: ({ id }) => ({ lead_id: id })
    }),
    Resource.ofCommand(ListNextActions, {
      uri: "svc://actions/today",
      name: "actions-today",
      title: "Next actions",
      summary: "Leads with a pending action, most urgent first, at most 50",
      description:
        "Across all missions: unanswered messages, sends of unknown outcome, drafts to review, leads not yet contacted.",
      relatedCommands: ["mission.next-actions", "lead.get", "linkedin.draft.create", "linkedin.draft.approve"],
      input: () => ({ limit: shownActions })
    }),
    ...inbox,
    ...suppressions,
    catalogResource(commands),
    Resource.ofCommand(ListAccounts, {
      uri: "svc://linkedin/accounts",
      name: "linkedin-accounts",
      title: "LinkedIn accounts",
      summary: "The agents' LinkedIn accounts and their health",
      description: "The account of each agent, whether it can send, and its usage.",
      relatedCommands: ["linkedin.account.list", "agent.list"],
      input: () => ({})
    }),
    Resource.ofCommand(ListQueue, {
      uri: "svc://linkedin/queue",
      name: "linkedin-queue",
      title: "LinkedIn queue",
      summary: "Unsettled messages with reason and next attempt, oldest first, at most 25",
      description:
        "The first 25 queue items that are waiting, being sent, or have an unknown outcome. Pass next_cursor to linkedin.queue.list for more.",
      relatedCommands: ["linkedin.queue.list", "linkedin.queue.cancel", "linkedin.queue.resolve"],
      input: () => ({ limit: listed })
    }),
    Resource.ofCommand(GetUsage, {
      uri: "svc://linkedin/usage",
      name: "linkedin-usage",
      title: "LinkedIn usage",
      summary: "Usage and limits of each LinkedIn account, with send forecasts",
      description:
        "Used and allowed messages and invitations in rolling windows, with a forecast for each queued message.",
      relatedCommands: ["linkedin.usage.get", "linkedin.usage.set-limits"],
      input: () => ({})
    }),
    ...emailReviews,
    errorsResource,
    Resource.ofCommand(ListOffers, {
      uri: "svc://offers",
      name: "offers",
      title: "Offers",
      summary: "The newest 25 offers",
      description: "Offers with proof and resources, newest first. Pass next_cursor to offer.list for more.",
      relatedCommands: ["offer.list", "offer.create"],
      input: () => ({ limit: listed })
    }),
    Resource.ofCommand(GetOffer, {
      uri: "svc://offers/{id}",
      name: "offer",
      title: "One offer",
      summary: "An offer by its id",
      description: "The offer: proposition, references, solved problems, differentiators and resources.",
      relatedCommands: ["offer.get", "offer.update"],
      example: { id: "sample-offer" },
      input: ({ id }) => ({ offer_id: id })
    }),
    Resource.ofCommand(ListMissions, {
      uri: "svc://missions",
      name: "missions",
      title: "Missions",
      summary: "The newest 25 missions",
      description:
        "Missions with brief, statistics and imports, newest first. Pass next_cursor to mission.list for more.",
      relatedCommands: ["mission.list", "mission.create"],
      input: () => ({ limit: listed })
    }),
    Resource.ofCommand(GetMission, {
      uri: "svc://missions/{handle}",
      name: "mission",
      title: "One mission",
      summary: "A mission by its handle",
      description: "The mission with its brief, offer, statistics and imports.",
      relatedCommands: ["mission.get", "mission.update", "lead.search"],
      example: { handle: "spring-outreach" },
      input: ({ handle }) => ({ mission_id: handle })
    }),
    Resource.ofCommand(ListAgents, {
      uri: "svc://agents",
      name: "agents",
      title: "Agents",
      summary: "The newest 25 sender personas",
      description: "Agents with tone, working hours and email accounts. Pass next_cursor to agent.list for more.",
      relatedCommands: ["agent.list", "agent.create"],
      input: () => ({ limit: listed })
    }),
    Resource.ofCommand(GetAgent, {
      uri: "svc://agents/{handle}",
      name: "agent",
      title: "One agent",
      summary: "A sender persona by its handle",
      description: "The agent: profile, tone and working hours.",
      relatedCommands: ["agent.get", "agent.update"],
      example: { handle: "ada-martin" },
      input: ({ handle }) => ({ agent_handle: handle })
    }),
    Resource.ofCommand(GetImport, {
      uri: "svc://imports/{id}",
      name: "import",
      title: "One import",
      summary: "State, counts and rejected rows of an import",
      description: "The import's state and why rows were rejected; poll it while the state is running.",
      relatedCommands: ["import.get", "import.list", "import.sales-nav.search"],
      example: { id: "imp_SAMPLE00000000000000000001" },
      input: ({ id }) => ({ import_id: id })
    }),
    Resource.make({
      uri: "svc://events/recent",
      name: "recent-events",
      title: "Recent events",
      summary: "Latest events of the organization, newest first, at most 50",
      description: "The latest events of every type. To read all of them in order, use GET /api/v1/events.",
      category: "workspace",
      scope: "events:read",
      relatedCommands: ["workspace.status", "webhook.create"],
      payload: Schema.Struct({ events: Schema.Array(EventEnvelope) }),
      read: Effect.fnUntraced(function* () {
        const { organizationId } = yield* Actor
        const events = yield* (yield* Workspaces).events.recent(organizationId, shownEvents)
        return { events: events.map(envelopeOf) }
      })
    }),
    limitsResource,
    guideResource
  ] as const
