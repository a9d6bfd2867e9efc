/** Summaries of the groups of commands in the help. */

const summaries: Readonly<Record<string, string>> = {
  agent: "Manage sender personas",
  "agent-run": "List and undo what AI agents did in a run",
  approval: "Decide about commands that wait for approval",
  audit: "Read and verify the audit log",
  email: "Send and review emails",
  "email review": "Decide about emails under review",
  events: "Read and follow the event feed",
  import: "Import leads from files and searches",
  "import leads": "Import leads as JSON, and list the rows of an import",
  "import linkedin": "Import people from LinkedIn searches",
  "import sales-nav": "Import people from Sales Navigator",
  keys: "Manage API keys",
  lead: "Manage leads: find, write, score, merge, erase",
  "lead identifier": "Correct the identifiers of a lead",
  "lead message": "Record messages from elsewhere",
  "lead mission": "Add leads to missions and remove them",
  "lead note": "Write notes about a lead",
  "lead score": "Explain the score of a lead",
  "lead status": "Set the status of a lead",
  "lead suppression": "Manage who must not be contacted",
  linkedin: "Draft, approve and send on LinkedIn",
  "linkedin account": "Manage LinkedIn accounts",
  "linkedin conversation": "Read conversations on LinkedIn",
  "linkedin draft": "Write, check and approve drafts",
  "linkedin invitation": "Invite leads to connect",
  "linkedin queue": "See and settle what is to be sent",
  "linkedin usage": "See and set the limits of accounts",
  mission: "Manage missions: who is contacted, by whom, with what",
  offer: "Manage offers and their proof",
  policy: "Decide which commands need approval",
  report: "See activity and results",
  review: "Work through everything that waits for a person",
  session: "Sign in to the review page",
  "session link": "Create one-time links that sign in",
  webhooks: "Manage and test webhooks",
  workspace: "See the state of the workspace"
}

/** The summary of a group, by its words; undefined for groups of a host. */
export const groupSummary = (path: string): string | undefined => summaries[path]
