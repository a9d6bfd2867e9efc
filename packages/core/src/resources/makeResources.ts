/** Every resource of the service, in the order in which they are listed. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { GetAgent, ListAgents } from "../agents/commands.ts"
import { ListReviews } from "../email/commands.ts"
import { Email } from "../email/Email.ts"
import { GetImport } from "../imports/commands.ts"
import type { AnyCommand } from "../kernel/command/Command.ts"
import { Actor } from "../kernel/command/Execution.ts"
import { NotFound } from "../kernel/failure/failures.ts"
import * as Resource from "../kernel/resource/Resource.ts"
import { GetMission, ListMissions } from "../missions/commands.ts"
import { GetOffer, ListOffers } from "../offers/commands.ts"
import { ListQueue } from "../outreach/commands/queue.ts"
import { GetUsage } from "../outreach/commands/usage.ts"
import { ListNextActions } from "../reports/commands.ts"
import { EventEnvelope, envelopeOf } from "../workspace/events/EventFeed.ts"
import { Workspaces } from "../workspace/Workspaces.ts"
import { inboxResource, moreInboxResource, moreSuppressionsResource, suppressionsResource } from "./leadResources.ts"
import {
  accountsResource,
  draftResource,
  firstPage,
  morePendingDraftsResource,
  NextUri,
  pagesOf,
  pendingDraftsResource,
  prospectResource
} from "./outreachResources.ts"
import { catalogResource, errorsResource, guideResource, limitsResource, statusResource } from "./serviceResources.ts"

/** Page size of list resources; next_cursor continues in the list command. */
const listed = 25

/** `svc://offers`. */
const offersResource = Resource.ofCommand(ListOffers, {
  uri: "svc://offers",
  name: "offers",
  title: "Offers",
  summary: "The newest 25 offers",
  description: "Offers with proof and resources, newest first. Pass next_cursor to offer.list for more.",
  relatedCommands: ["offer.list", "offer.create"],
  input: () => ({ limit: listed })
})

/** `svc://offers/{id}`. */
const offerResource = Resource.ofCommand(GetOffer, {
  uri: "svc://offers/{id}",
  name: "offer",
  title: "One offer",
  summary: "An offer by its id",
  description: "The offer: proposition, references, solved problems, differentiators and resources.",
  relatedCommands: ["offer.get", "offer.update"],
  example: { id: "sample-offer" },
  input: ({ id }) => ({ offer_id: id })
})

/** `svc://missions`. */
const missionsResource = Resource.ofCommand(ListMissions, {
  uri: "svc://missions",
  name: "missions",
  title: "Missions",
  summary: "The newest 25 missions",
  description: "Missions with brief, statistics and imports, newest first. Pass next_cursor to mission.list for more.",
  relatedCommands: ["mission.list", "mission.create"],
  input: () => ({ limit: listed })
})

/** `svc://missions/{handle}`. */
const missionResource = Resource.ofCommand(GetMission, {
  uri: "svc://missions/{handle}",
  name: "mission",
  title: "One mission",
  summary: "A mission by its handle",
  description: "The mission with its brief, offer, statistics and imports.",
  relatedCommands: ["mission.get", "mission.update", "lead.search"],
  example: { handle: "spring-outreach" },
  input: ({ handle }) => ({ mission_id: handle })
})

/** `svc://agents`. */
const agentsResource = Resource.ofCommand(ListAgents, {
  uri: "svc://agents",
  name: "agents",
  title: "Agents",
  summary: "The newest 25 sender personas",
  description: "Agents with tone, working hours and email accounts. Pass next_cursor to agent.list for more.",
  relatedCommands: ["agent.list", "agent.create"],
  input: () => ({ limit: listed })
})

/** `svc://agents/{handle}`. */
const agentResource = Resource.ofCommand(GetAgent, {
  uri: "svc://agents/{handle}",
  name: "agent",
  title: "One agent",
  summary: "A sender persona by its handle",
  description: "The agent: profile, tone and working hours.",
  relatedCommands: ["agent.get", "agent.update"],
  example: { handle: "ada-martin" },
  input: ({ handle }) => ({ agent_handle: handle })
})

/** `svc://imports/{id}`. */
const importResource = Resource.ofCommand(GetImport, {
  uri: "svc://imports/{id}",
  name: "import",
  title: "One import",
  summary: "State, counts and rejected rows of an import",
  description: "The import's state and why rows were rejected; poll it while the state is running.",
  relatedCommands: ["import.get", "import.list", "import.sales-nav.search"],
  example: { id: "imp_SAMPLE00000000000000000001" },
  input: ({ id }) => ({ import_id: id })
})

const maxListed = 50

/** `svc://actions/today`. */
const actionsResource = Resource.ofCommand(ListNextActions, {
  uri: "svc://actions/today",
  name: "actions-today",
  title: "Next actions",
  summary: "Leads with a pending action, most urgent first, at most 50",
  description:
    "Across all missions: unanswered messages, sends of unknown outcome, drafts to review, leads not yet contacted.",
  relatedCommands: ["mission.next-actions", "lead.get", "linkedin.draft.create", "linkedin.draft.approve"],
  input: () => ({ limit: maxListed })
})

const shownReviews = 10

const reviewsUri = "svc://email/reviews"

const readReviews = Effect.fnUntraced(function* (cursor: string | undefined) {
  const given = cursor === undefined || cursor === firstPage ? {} : { cursor }
  const { next_cursor, reviews } = yield* ListReviews.run({ limit: shownReviews, ...given }).pipe(
    Effect.catchTag("InvalidCursor", () => Effect.fail(new NotFound({ kind: "page", id: (cursor ?? "").slice(0, 64) })))
  )
  return { reviews, next_uri: next_cursor === null ? null : `${reviewsUri}/${next_cursor}` }
})

/** `svc://email/reviews`, and its further pages. */
const [reviewsResource, moreReviewsResource] = pagesOf({
  uri: reviewsUri,
  name: "email-reviews",
  title: "Email reviews",
  summary: `Emails under review, newest first, ${shownReviews} a page`,
  description:
    "Every email under review, with its texts and the content_hash to send with a decision. Read next_uri for the next page.",
  further: "the emails under review",
  category: "email",
  scope: "email:read",
  relatedCommands: ["email.review.list", "email.review.decide", "email.list"],
  payload: Schema.Struct({ reviews: Schema.Array(Email), next_uri: NextUri }),
  read: readReviews
})

const shown = 50

/** `svc://events/recent`. */
const recentEventsResource = Resource.make({
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
    const events = yield* (yield* Workspaces).events.recent(organizationId, shown)
    return { events: events.map(envelopeOf) }
  })
})

/** `svc://linkedin/queue`. */
const queueResource = Resource.ofCommand(ListQueue, {
  uri: "svc://linkedin/queue",
  name: "linkedin-queue",
  title: "LinkedIn queue",
  summary: "Unsettled messages with reason and next attempt, oldest first, at most 25",
  description:
    "The first 25 queue items that are waiting, being sent, or have an unknown outcome. Pass next_cursor to linkedin.queue.list for more.",
  relatedCommands: ["linkedin.queue.list", "linkedin.queue.cancel", "linkedin.queue.resolve"],
  input: () => ({ limit: 25 })
})

/** `svc://linkedin/usage`. */
const usageResource = Resource.ofCommand(GetUsage, {
  uri: "svc://linkedin/usage",
  name: "linkedin-usage",
  title: "LinkedIn usage",
  summary: "Usage and limits of each LinkedIn account, with send forecasts",
  description: "Used and allowed messages and invitations in rolling windows, with a forecast for each queued message.",
  relatedCommands: ["linkedin.usage.get", "linkedin.usage.set-limits"],
  input: () => ({})
})

/** The resources; `svc://catalog` shows `commands`. The catalogue of Dispatch must include the resources' own commands. */
export const makeResources = (commands: ReadonlyArray<AnyCommand>) =>
  [
    statusResource,
    pendingDraftsResource,
    morePendingDraftsResource,
    draftResource,
    prospectResource,
    actionsResource,
    inboxResource,
    moreInboxResource,
    suppressionsResource,
    moreSuppressionsResource,
    catalogResource(commands),
    accountsResource,
    queueResource,
    usageResource,
    reviewsResource,
    moreReviewsResource,
    errorsResource,
    offersResource,
    offerResource,
    missionsResource,
    missionResource,
    agentsResource,
    agentResource,
    importResource,
    recentEventsResource,
    limitsResource,
    guideResource
  ] as const
