/** The daily work list as a resource. */

import * as Resource from "../kernel/resource/Resource.ts"
import { ListNextActions } from "../reports/nextactions/commands/ListNextActions.ts"

const maxListed = 50

/** `svc://actions/today`. */
export const actionsResource = Resource.ofCommand(ListNextActions, {
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
