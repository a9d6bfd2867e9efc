/** Every resource of the service, in the order in which they are listed. Source: catalogue 4.2. */
import type { AnyCommand } from "./Command.ts"
import { actionsResource } from "./resources/actionResources.ts"
import { reviewsResource } from "./resources/emailResources.ts"
import { recentEventsResource } from "./resources/eventResources.ts"
import { inboxResource, suppressionsResource } from "./resources/leadResources.ts"
import {
  accountsResource,
  draftResource,
  pendingDraftsResource,
  prospectResource
} from "./resources/outreachResources.ts"
import { queueResource, usageResource } from "./resources/queueResources.ts"
import {
  agentResource,
  agentsResource,
  importResource,
  missionResource,
  missionsResource,
  offerResource,
  offersResource
} from "./resources/recordResources.ts"
import {
  catalogResource,
  errorsResource,
  guideResource,
  limitsResource,
  statusResource
} from "./resources/serviceResources.ts"

/** The resources; `commands` are those that `svc://catalog` shows. Their commands belong into the catalogue of Dispatch. */
export const makeResources = (commands: ReadonlyArray<AnyCommand>) =>
  [
    statusResource,
    pendingDraftsResource,
    draftResource,
    prospectResource,
    actionsResource,
    inboxResource,
    suppressionsResource,
    catalogResource(commands),
    accountsResource,
    queueResource,
    usageResource,
    reviewsResource,
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
