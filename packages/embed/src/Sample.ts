/**
 * Sample data: what `svc dev --sample` plants, and what every example of the catalogue refers to.
 *
 * It is made by running commands, so it is what a user could have made; only its ids are chosen, so that examples can
 * name them. Planting twice changes nothing.
 */
import type { ActorIdentity } from "@svc/core/Actor"
import * as Catalog from "@svc/core/Catalog"
import { commands, restCommands } from "@svc/core/commands"
import * as Dispatch from "@svc/core/Dispatch"
import { EmailsRepo } from "@svc/core/email/EmailsRepo"
import { type Failure, type FailureCode, fail } from "@svc/core/Failure"
import { Ids } from "@svc/core/Ids"
import * as ImportRunner from "@svc/core/imports/ImportRunner"
import { LinkedInGateway } from "@svc/core/linkedin/LinkedInGateway"
import * as Ports from "@svc/core/linkedin/LinkedInPorts"
import { noPolicies, type PolicyLayers } from "@svc/core/Policy"
import { generateKey } from "@svc/core/workspace/ApiKey"
import { issueKey } from "@svc/core/workspace/Provisioning"
import { Workspaces } from "@svc/core/workspace/Workspaces"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Gateway, Stores } from "./Composition.ts"
import { plantInvitation } from "./sampleInvitation.ts"

/** Ids such as `drf_SAMPLE00000000000000000001`, counted for each prefix. */
const sampleIds: Layer.Layer<Ids> = Layer.sync(Ids, () => {
  const counts = new Map<string, number>()
  const make = (prefix: string) => {
    const count = (counts.get(prefix) ?? 0) + 1
    counts.set(prefix, count)
    return `${prefix}_SAMPLE${String(count).padStart(20, "0")}`
  }
  return { next: (prefix) => Effect.sync(() => make(prefix)), maker: Effect.succeed(make) }
})

const people = [
  {
    name: "Grace Hopper",
    slug: "grace-hopper",
    email: "grace@example.com",
    job: "Head of Finance",
    company: "Example Corp"
  },
  { name: "Alan Turing", slug: "alan-turing", email: "alan@example.com", job: "CFO", company: "Northwind Foods" },
  {
    name: "Katherine Johnson",
    slug: "katherine-johnson-2nd",
    email: "katherine@example.com",
    job: "Controller",
    company: "Blue Harbor"
  },
  {
    name: "Edsger Dijkstra",
    slug: "edsger-dijkstra",
    email: "edsger@example.com",
    job: "Finance Director",
    company: "Oakridge Clinics"
  },
  {
    name: "Barbara Liskov",
    slug: "barbara-liskov",
    email: "barbara@example.com",
    job: "VP Finance",
    company: "Fennel Software"
  }
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

/** A run, and the failure that it is to end in, if it is. */
interface Run {
  readonly command: string
  readonly input: Readonly<Record<string, unknown>>
  readonly endsIn?: FailureCode
}

/** The runs that make the sample, in their order. */
const runs: ReadonlyArray<Run> = [
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
    command: "rest.missions.leads.add",
    input: {
      missionHandle: "spring-outreach",
      leads: people.map(({ company, email, job, name, slug }) => ({
        email,
        name,
        company,
        job_title: job,
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
    // Paused, so that nothing leaves a sample.
    input: { url: "https://hooks.example.com/svc", description, is_active: false }
  })),
  { command: "webhook.test", input: { webhook_id: "whk_SAMPLE00000000000000000001" } },
  { command: "offer.create", input: { offer_id: "sample-idea", name: "Expense reports", is_draft: true } },
  { command: "mission.create", input: { name: "Winter ideas", handle: "winter-ideas" } }
]

const summer = "summer-outreach"
const sampleDraft = (count: number): string => `drf_SAMPLE${String(count).padStart(20, "0")}`
const queuedFor = (
  name: string,
  slug: string,
  body_text: string,
  approval: Omit<Run, "command">
): ReadonlyArray<Run> => [
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

/**
 * What is on its way: one message that waits for its mission to be resumed, and one of which nobody knows whether it was
 * sent.
 */
const queueRuns: ReadonlyArray<Run> = [
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

/** Nothing leaves a sample: the gateway of the process, but that a message of its is never heard of again. */
const silent: Layer.Layer<LinkedInGateway, never, LinkedInGateway> = Layer.effect(
  LinkedInGateway,
  Effect.map(LinkedInGateway, (gateway) => {
    const lost = Effect.succeed({ _tag: "Unknown", detail: "The connection broke after the body was sent." } as const)
    const relation = { connected: true, chatId: null, invitation: "none" } as const
    return LinkedInGateway.of({
      ...gateway,
      relation: () => Effect.succeed({ _tag: "Known", relation }),
      sendToChat: () => lost,
      startChat: () => lost,
      sendInvitation: () => lost
    })
  })
)

/** What a program asked for and a person has to decide. */
const askedRuns: ReadonlyArray<Run> = [
  { command: "offer.update", input: { offer_id: "sample-offer", one_liner: "Invoices book themselves" } },
  { command: "offer.update", input: { offer_id: "sample-offer", description: "For teams that close by hand." } }
]

const letters = "autumn-letters"

/** E-mails under review: one to decide, one to take back, and one that {@link plantUnknown} loses. */
const emailRuns: ReadonlyArray<Run> = [
  {
    command: "rest.missions.create",
    input: { name: "Autumn letters", handle: letters, agentHandle: "ada-martin", emailReviewStrategy: "MANUAL" }
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

/** Makes the last e-mail one of which nobody knows whether it was sent. */
const plantUnknown = Effect.fnUntraced(function* (organizationId: string) {
  const emails = yield* EmailsRepo
  const view = yield* emails.find(organizationId, "eml_SAMPLE00000000000000000003")
  if (view === undefined) return
  const reason = "The connection broke after the message was handed over."
  yield* emails.save({ ...view.row, state: "ambiguous", decision: "approve", attempts: 1, reason })
})

/** Keys that examples rotate and revoke; nobody has their text. Ids of keys are unique in a database. */
const plantKeys = Effect.fnUntraced(function* ({ organizationId, userId }: ActorIdentity) {
  const workspaces = yield* Workspaces
  for (const keyId of ["samplerotate", "samplerevoke"]) {
    if ((yield* workspaces.findKey(keyId)) !== undefined) continue
    const { key } = yield* issueKey(organizationId, userId, { name: keyId }, generateKey(keyId))
    yield* workspaces.createKey(key)
  }
})

/** Plants the sample into the actor's organization, unless its offer is there. */
export const plantSample = (actor: ActorIdentity): Effect.Effect<void, Failure, Gateway | Stores> =>
  Effect.gen(function* () {
    const dispatch = yield* Dispatch.Dispatch
    const known = yield* dispatch.run({ command: "offer.get", input: { offer_id: "sample-offer" }, actor })
    if (known.envelope.ok) return
    const policies: PolicyLayers = { ...noPolicies, key: { mutate: "ask" } }
    const program: ActorIdentity = { ...actor, kind: "AI_AGENT", policies }
    const gateway = yield* LinkedInGateway
    // Where accounts must be linked, the sample's agent has none.
    const canQueue = gateway.automaticAccount({ id: "agt_SAMPLE" }) !== undefined
    const planted = [
      ...[...runs, ...(canQueue ? queueRuns : [])].map((run) => ({
        ...run,
        actor: { ...actor, policies: noPolicies }
      })),
      ...askedRuns.map((run) => ({ ...run, actor: program })),
      ...emailRuns.map((run) => ({ ...run, actor: { ...actor, policies: noPolicies } }))
    ]
    for (const { endsIn, ...run } of planted) {
      const { envelope } = yield* dispatch.run(run)
      if (!envelope.ok && envelope.error.code !== endsIn) {
        return yield* fail(envelope.error.code, `The sample stopped at ${run.command}: ${envelope.error.message}`)
      }
    }
    yield* plantUnknown(actor.organizationId)
    yield* plantInvitation(actor.organizationId)
    yield* plantKeys(actor)
  }).pipe(
    Effect.provide(
      Dispatch.layer(Catalog.make([...commands, ...restCommands])).pipe(
        Layer.provide(ImportRunner.layer),
        Layer.provide(Ports.layer),
        Layer.provide(silent),
        Layer.provide(sampleIds)
      )
    )
  )
