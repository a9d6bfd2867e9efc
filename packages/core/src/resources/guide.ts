/** The guide to prospecting with this service, `svc://guide`. */

/** A step of the guide, with its commands and resources. */
interface GuideStep {
  readonly step: number
  readonly title: string
  readonly text: string
  readonly commands: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
}

const steps: ReadonlyArray<Omit<GuideStep, "step">> = [
  {
    title: "Check the status",
    text: "Start with the status: it counts everything and shows what needs a person.",
    commands: ["workspace.status", "mission.next-actions"],
    resources: ["svc://status", "svc://actions/today"]
  },
  {
    title: "Describe your offer",
    text: "Create an offer with its proof. Messages may only claim what the offer says.",
    commands: ["offer.list", "offer.create", "offer.check", "offer.publish"],
    resources: ["svc://offers"]
  },
  {
    title: "Create the sender",
    text: "Create an agent: the sender persona, with tone, signature and working hours.",
    commands: ["agent.list", "agent.create", "linkedin.account.list"],
    resources: ["svc://agents", "svc://linkedin/accounts"]
  },
  {
    title: "Plan the mission",
    text: "A mission combines agent, offer and brief: who the leads are, why you write, what they should do.",
    commands: ["mission.create", "mission.update", "mission.stats"],
    resources: ["svc://missions"]
  },
  {
    title: "Find leads",
    text: "Explain a Sales Navigator search, import it, or add single leads by any identifier.",
    commands: ["import.sales-nav.parse", "import.sales-nav.search", "import.get", "lead.upsert"],
    resources: ["svc://imports/{id}"]
  },
  {
    title: "Draft a message",
    text: "Read the prospect, then draft up to three variations that fit the person and the offer's proof.",
    commands: ["lead.search", "lead.get", "linkedin.draft.create", "linkedin.draft.check"],
    resources: ["svc://prospects/{id}"]
  },
  {
    title: "Review and send",
    text: "Approve one variation. Approval alone sends nothing immediately; send_now tries to send now.",
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
    "Repeating a call with the same input changes nothing.",
    "Leads with status DoNotContact are never contacted.",
    "After SEND_OUTCOME_UNKNOWN, check the conversation on LinkedIn before anything else.",
    "When approving a draft, send the content_hash you read, so that only that text is approved.",
    "response_profile compact saves tokens but removes details that good messages need; prefer full."
  ]
}
