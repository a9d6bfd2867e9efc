/** Every resource of the service, in the order in which they are listed. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ListReviews } from "../email/commands.ts"
import { Email } from "../email/Email.ts"
import { Actor } from "../kernel/command/Actor.ts"
import type { AnyCommand } from "../kernel/command/Command.ts"
import { NotFound } from "../kernel/failure/failures.ts"
import * as Resource from "../kernel/resource/Resource.ts"
import { ListQueue } from "../outreach/commands/queue.ts"
import { GetUsage } from "../outreach/commands/usage.ts"
import { ListNextActions } from "../reports/nextactions/commands/ListNextActions.ts"
import { EventEnvelope, EventFeed, envelopeOf } from "../workspace/events/EventFeed.ts"
import { inboxResource, moreInboxResource, moreSuppressionsResource, suppressionsResource } from "./leadResources.ts"
import {
  accountsResource,
  draftResource,
  morePendingDraftsResource,
  pendingDraftsResource,
  prospectResource
} from "./outreachResources.ts"
import { firstPage, furtherPage, NextUri } from "./pages.ts"
import {
  agentResource,
  agentsResource,
  importResource,
  missionResource,
  missionsResource,
  offerResource,
  offersResource
} from "./recordResources.ts"
import { catalogResource, errorsResource, guideResource, limitsResource, statusResource } from "./serviceResources.ts"

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
  params: Resource.noParams,
  example: {},
  input: () => ({ limit: maxListed })
})

const shownReviews = 10

const reviewsUri = "svc://email/reviews"

const readReviews = Effect.fnUntraced(function* (cursor: string) {
  const given = cursor === firstPage ? {} : { cursor }
  const { next_cursor, reviews } = yield* ListReviews.run({ limit: shownReviews, ...given }).pipe(
    Effect.catchTag("InvalidCursor", () => Effect.fail(new NotFound({ kind: "page", id: cursor.slice(0, 64) })))
  )
  return { reviews, next_uri: next_cursor === null ? null : `${reviewsUri}/${next_cursor}` }
})

const reviewTexts = {
  category: "email",
  scope: "email:read",
  relatedCommands: ["email.review.list", "email.review.decide", "email.list"],
  payload: Schema.Struct({ reviews: Schema.Array(Email), next_uri: NextUri }),
  failures: [NotFound]
} as const

/** `svc://email/reviews`: the first page. */
const reviewsResource = Resource.make({
  ...reviewTexts,
  uri: reviewsUri,
  name: "email-reviews",
  title: "Email reviews",
  summary: `Emails under review, newest first, ${shownReviews} a page`,
  description:
    "Every email under review, with its texts and the content_hash to send with a decision. Read next_uri for the next page.",
  params: Resource.noParams,
  example: {},
  read: () => readReviews(firstPage)
})

/** `svc://email/reviews/{cursor}`: a further page. */
const moreReviewsResource = Resource.make({
  ...reviewTexts,
  uri: `${reviewsUri}/{cursor}`,
  name: "more-email-reviews",
  title: "More email reviews",
  summary: "A further page of the emails under review",
  description: "The page that next_uri of the page before names; first is the first page.",
  ...furtherPage,
  read: ({ cursor }) => readReviews(cursor)
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
  params: Resource.noParams,
  example: {},
  payload: Schema.Struct({ events: Schema.Array(EventEnvelope) }),
  read: Effect.fnUntraced(function* () {
    const { organizationId } = yield* Actor
    const events = yield* (yield* EventFeed).recent(organizationId, shown)
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
  params: Resource.noParams,
  example: {},
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
  params: Resource.noParams,
  example: {},
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
