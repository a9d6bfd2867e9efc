/** The daily work list as a resource. Source: catalogue 4.2. */
import { ListNextActions, NextActions, readNextActions } from "../leads/commands/ListNextActions.ts"
import * as Resource from "../Resource.ts"

const listed = 50

/** `svc://actions/today`. */
export const actionsResource = Resource.make({
  uri: "svc://actions/today",
  name: "actions-today",
  title: "What to do today",
  summary: "The leads for whom something waits to be done, most urgent first, at most 50.",
  description:
    "Over all missions: unanswered messages, sends of unknown outcome, drafts to review, leads without a first message.",
  category: "missions",
  scope: ListNextActions.scope,
  relatedCommands: ["mission.next-actions", "lead.get", "linkedin.draft.create", "linkedin.draft.approve"],
  params: Resource.noParams,
  example: {},
  payload: NextActions,
  read: () => readNextActions(undefined, listed)
})
