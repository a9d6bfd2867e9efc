/** The commands that create the sample data, in order. */
import type { FailureCode } from "@svc/core"

/** The name, the end of the LinkedIn URL, the job and the company of each. */
const people = [
  ["Grace Hopper", "grace-hopper", "Head of Finance", "Example Corp"],
  ["Alan Turing", "alan-turing", "CFO", "Northwind Foods"],
  ["Katherine Johnson", "katherine-johnson-2nd", "Controller", "Blue Harbor"],
  ["Edsger Dijkstra", "edsger-dijkstra", "Finance Director", "Oakridge Clinics"],
  ["Barbara Liskov", "barbara-liskov", "VP Finance", "Fennel Software"]
] as const

const draftFor = (email: string, ...variations: ReadonlyArray<string>) => ({
  command: "linkedin.draft.create",
  input: {
    email,
    agent_handle: "ada-martin",
    mission_id: "spring-outreach",
    variations: variations.map((body_text) => ({ body_text }))
  }
})

/** A run, and its expected failure. */
interface Run {
  readonly command: string
  readonly input: Readonly<Record<string, unknown>>
  readonly endsIn?: FailureCode
}

/** The first runs. */
export const runs: ReadonlyArray<Run> = [
  {
    command: "offer.create",
    input: {
      offer_id: "sample-offer",
      name: "Invoice automation",
      one_liner: "Invoices that book themselves",
      value_proposition: "Finance teams close the month four days earlier.",
      references: [{ type: "CASE_STUDY", content: "Acme closed in two days instead of six.", company: "Acme" }],
      problem_solutions: [
        {
          problem: "Month-end takes a week",
          solution: "Invoices are booked as they arrive",
          feature: "Automatic booking"
        }
      ],
      differentiators: [{ title: "No template to maintain", description: "It reads any layout." }]
    }
  },
  {
    command: "agent.create",
    input: {
      first_name: "Ada",
      last_name: "Martin",
      handle: "ada-martin",
      job_title: "Account executive",
      timezone: "Europe/Berlin",
      email_accounts: [{ provider: "SMTP", email: "ada@example.com" }]
    }
  },
  {
    command: "mission.create",
    input: {
      name: "Spring outreach",
      handle: "spring-outreach",
      agent_handle: "ada-martin",
      offer_id: "sample-offer",
      description: "Finance leads who close their books by hand"
    }
  },
  {
    command: "import.leads.add",
    input: {
      mission_id: "spring-outreach",
      leads: people.map(([name, slug, job_title, company]) => ({
        email: `${name.split(" ")[0]?.toLowerCase()}@example.com`,
        name,
        company,
        job_title,
        linkedin_url: `https://www.linkedin.com/in/${slug}`
      }))
    }
  },
  draftFor(
    "alan@example.com",
    "Hi Alan, how many days does your month-end take?",
    "Hi Alan, Acme went from six days of closing to two. Worth a look?",
    "Hi Alan, who books the invoices at Northwind today?"
  ),
  draftFor("katherine@example.com", "Hi Katherine, good to find somebody who closes books by hand."),
  draftFor("edsger@example.com", "Hi Edsger, what would you do with four more days a month?"),
  { command: "lead.suppress", input: { email: "opt-out@example.com", reason: "Asked not to be contacted" } },
  ...["CRM", "Notifications"].map((description) => ({
    command: "webhook.create",
    // Paused, so that the sample sends nothing.
    input: { url: "https://hooks.example.com/svc", description, is_active: false }
  })),
  { command: "webhook.test", input: { webhook_id: "whk_SAMPLE00000000000000000001" } },
  { command: "offer.create", input: { offer_id: "sample-idea", name: "Expense reports", is_draft: true } },
  { command: "mission.create", input: { name: "Winter ideas", handle: "winter-ideas" } }
]

const summer = "summer-outreach"
const sampleDraft = (count: number): string => `drf_SAMPLE${String(count).padStart(20, "0")}`
const queuedFor = (name: string, slug: string, body_text: string, approval: Omit<Run, "command">) => [
  {
    command: "lead.upsert",
    input: { name, linkedin_url: `https://www.linkedin.com/in/${slug}`, job_title: "CFO", mission_id: summer }
  },
  {
    command: "linkedin.draft.create",
    input: {
      linkedin_url: `https://www.linkedin.com/in/${slug}`,
      agent_handle: "ada-martin",
      mission_id: summer,
      variations: [{ body_text }]
    }
  },
  { ...approval, command: "linkedin.draft.approve" }
]

/** Queued messages: one waits for its mission to be resumed, one has an unknown outcome. */
export const queueRuns: ReadonlyArray<Run> = [
  {
    command: "mission.create",
    input: { name: "Summer outreach", handle: summer, agent_handle: "ada-martin", offer_id: "sample-offer" }
  },
  { command: "mission.pause", input: { mission_id: summer, reason: "Until the summer" } },
  ...queuedFor("Frances Allen", "frances-allen", "Hi Frances, how do you close your books in August?", {
    input: { draft_id: sampleDraft(4) }
  }),
  ...queuedFor("Kathleen Booth", "kathleen-booth", "Hi Kathleen, who books your invoices over the summer?", {
    input: { draft_id: sampleDraft(5), send_now: true },
    endsIn: "SEND_OUTCOME_UNKNOWN"
  })
]

/** Runs of an AI agent that a person has to approve. */
export const approvalRuns: ReadonlyArray<Run> = [
  { command: "offer.update", input: { offer_id: "sample-offer", one_liner: "Invoices book themselves" } },
  { command: "offer.update", input: { offer_id: "sample-offer", description: "For teams that close by hand." } }
]

const letters = "autumn-letters"

/** E-mails under review. The last one gets an unknown outcome. */
export const emailRuns: ReadonlyArray<Run> = [
  {
    command: "mission.create",
    input: { name: "Autumn letters", handle: letters, agent_handle: "ada-martin", email_review_strategy: "MANUAL" }
  },
  ...["Four days a month", "Who books your invoices?", "One more thought"].map((subject) => ({
    command: "email.send",
    input: {
      lead_id: "ld_SAMPLE00000000000000000001",
      mission_id: letters,
      subject,
      body_text: "Hello Grace,\n\nworth a look?\n\nAda"
    }
  }))
]
