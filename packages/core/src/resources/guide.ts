/** How to prospect with this service, as `svc://guide` tells it. */

/** A step of the way: what to do and which commands and resources do it. */
export interface GuideStep {
  readonly step: number
  readonly title: string
  readonly text: string
  readonly commands: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
}

const steps: ReadonlyArray<Omit<GuideStep, "step">> = [
  {
    title: "See how things stand",
    text: "Read the status first: it counts everything and says what waits for a person.",
    commands: ["workspace.status", "mission.next-actions"],
    resources: ["svc://status", "svc://actions/today"]
  },
  {
    title: "Say what you sell",
    text: "Store an offer with its proof. Messages must rest on what the offer really says.",
    commands: ["offer.list", "offer.create", "offer.check", "offer.publish"],
    resources: ["svc://offers"]
  },
  {
    title: "Say who writes",
    text: "Store an agent: the persona whose name messages carry, with tone, signature and working hours.",
    commands: ["agent.list", "agent.create", "linkedin.account.list"],
    resources: ["svc://agents", "svc://linkedin/accounts"]
  },
  {
    title: "Plan the mission",
    text: "A mission ties agent, offer and brief together: who they are, why we write, what they should do.",
    commands: ["mission.create", "mission.update", "mission.stats"],
    resources: ["svc://missions"]
  },
  {
    title: "Find the people",
    text: "Explain a Sales Navigator search, import it, or add single people by any identifier they have.",
    commands: ["import.sales-nav.parse", "import.sales-nav.search", "import.get", "lead.upsert"],
    resources: ["svc://imports/{id}"]
  },
  {
    title: "Write to one person",
    text: "Read the prospect, then draft up to three variations that fit this person and the offer's proof.",
    commands: ["lead.search", "lead.get", "linkedin.draft.create", "linkedin.draft.check"],
    resources: ["svc://prospects/{id}"]
  },
  {
    title: "Review and send",
    text: "Approve one variation. Approval alone sends nothing at once; send_now tries to send right away.",
    commands: [
      "linkedin.draft.list",
      "linkedin.draft.update",
      "linkedin.draft.approve",
      "linkedin.draft.approve-many",
      "linkedin.draft.cancel"
    ],
    resources: ["svc://linkedin/drafts/pending", "svc://linkedin/drafts/{id}"]
  }
]

/** The guide. */
export const guide = {
  steps: steps.map((step, index): GuideStep => ({ step: index + 1, ...step })),
  rules: [
    "Nothing is sent without an approval, and only what the provider confirmed is reported as sent.",
    "Sending the same input twice changes nothing the second time.",
    "A lead with status DoNotContact is never written to.",
    "After SEND_OUTCOME_UNKNOWN look at the conversation on LinkedIn before anything else.",
    "Give content_hash of the draft you read when you approve it, so that only that text is approved.",
    "response_profile compact saves tokens, but shortens what good messages are made of; prefer full."
  ]
}
