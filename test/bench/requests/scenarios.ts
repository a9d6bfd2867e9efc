/** What the load processes request: the same bytes of our server and of the peer. */

/** Where a request of a connection is in a round. */
export interface Place {
  /** Which of the two organizations. */
  readonly organization: number
  /** Leads of each organization before the run. */
  readonly leads: number
  /** Unique among all requests of the scenario to this server. */
  readonly index: number
  /** Unique for each load process. */
  readonly run: string
}

/** A request and what is expected of it. */
export interface Scenario {
  readonly method: "GET" | "POST"
  /** The product's requests a second over the peer's. */
  readonly goal?: number
  readonly path: (place: Place) => string
  readonly body?: (place: Place) => object
  /** Whether the parsed body of a response is right. */
  readonly isRight: (body: string, parsed: object) => boolean
  /** Rows that a successful request adds. */
  readonly adds: { readonly leads?: number; readonly drafts?: number; readonly journal?: number }
}

/** Agents of each organization. */
export const agentsEach = 10

/** The id of a lead that is there before the run, counted over both organizations from 1. */
export const leadIdOf = (number: number): string => `ld_${String(number).padStart(26, "0")}`

const numberOf = ({ leads, organization }: Place, within: number): number => organization * leads + (within % leads) + 1

const randomLead = (place: Place): number => numberOf(place, Math.floor(Math.random() * place.leads))

const member = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((found, name) => Reflect.get(Object(found), name), value)

const isUpserted = (_: string, body: object): boolean =>
  member(body, "ok") === true &&
  member(body, "data", "lead_id") === member(body, "data", "lead", "id") &&
  member(body, "data", "lead", "linkedin_url") !== "" &&
  String(member(body, "meta", "command_hash")).length === 64

/** All by name. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  "upsert-new": {
    method: "POST",
    goal: 1.5,
    path: () => "/api/v1/commands/lead.upsert",
    body: ({ index, run }) => ({
      email: `new.${run}.${index}@company${index % 5_000}.example`,
      linkedin_url: `https://www.linkedin.com/in/new-${run}-${index}`,
      name: `Chiara Person${index}`,
      headline: "Head of Finance, closing the month in four days",
      job_title: "Head of Finance",
      company: `Company ${index % 5_000} GmbH`,
      location: "Berlin, Germany"
    }),
    isRight: isUpserted,
    adds: { leads: 1, journal: 1 }
  },
  "upsert-update": {
    method: "POST",
    goal: 1.5,
    path: () => "/api/v1/commands/lead.upsert",
    body: (place) => {
      const number = randomLead(place)
      return {
        email: `lead${number}@company${number % 5_000}.example`,
        linkedin_url: `https://www.linkedin.com/in/lead-${number}`,
        job_title: `Head of Finance ${place.run} ${place.index}`
      }
    },
    isRight: isUpserted,
    adds: { journal: 1 }
  },
  "offers-page": {
    method: "GET",
    goal: 2.5,
    path: () => "/api/v1/offers",
    isRight: (text, body) => {
      const offers = member(body, "data", "offers")
      return Array.isArray(offers) && offers.length === 25 && text.length > 80_000
    },
    adds: {}
  },
  prospect: {
    method: "GET",
    goal: 1.5,
    path: (place) => `/api/v1/resources/read?uri=svc://prospects/${leadIdOf(randomLead(place))}`,
    isRight: (_, body) => {
      const payload = member(body, "data", "resource", "payload")
      return (
        member(payload, "lead_id") === member(payload, "lead", "id") &&
        Array.isArray(member(payload, "prospect_context", "conversation")) &&
        member(payload, "lead", "sentMessages", "length") === 1
      )
    },
    adds: {}
  },
  commands: {
    method: "GET",
    goal: 1,
    path: () => "/api/v1/commands",
    isRight: (_, body) => Number(member(body, "data", "commands", "length")) > 50,
    adds: {}
  },
  "draft-create": {
    method: "POST",
    goal: 1.4,
    path: () => "/api/v1/commands/linkedin.draft.create",
    body: (place) => ({
      lead_id: leadIdOf(numberOf(place, place.index)),
      agent_handle: `agent-${Math.floor(place.index / place.leads) + 1}`,
      variations: [
        { body_text: "Hi, how many days does your team take to close a month today? We saw four days saved at Acme." },
        {
          body_text: "Hello, your talk on closing a month was the clearest that I have heard. May I ask one question?"
        },
        { body_text: "Hi, finance teams like yours close four days earlier. Worth ten minutes next week?" }
      ]
    }),
    isRight: (_, body) => member(body, "data", "draft", "status") === "PENDING_REVIEW",
    adds: { drafts: 1, journal: 1 }
  },
  healthz: {
    method: "GET",
    path: () => "/healthz",
    isRight: (_, body) => member(body, "status") === "ok",
    adds: {}
  }
}
