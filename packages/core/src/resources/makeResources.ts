/** Every resource of the service, in the order in which they are listed. */
import type { AnyCommand } from "../kernel/command/Command.ts"
import { actionsResource } from "./actionResources.ts"
import { moreReviewsResource, reviewsResource } from "./emailResources.ts"
import { recentEventsResource } from "./eventResources.ts"
import { inboxResource, moreInboxResource, moreSuppressionsResource, suppressionsResource } from "./leadResources.ts"
import {
  accountsResource,
  draftResource,
  morePendingDraftsResource,
  pendingDraftsResource,
  prospectResource
} from "./outreachResources.ts"
import { queueResource, usageResource } from "./queueResources.ts"
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
