// Your own commands: one value adds each to the catalogue, in process, over HTTP, to MCP and the command line. Hooks surround every run.
import { Actor, Command, NotFound } from "@svc/core"
import { OffersRepo } from "@svc/core/offers"
import { createSvc, defineCommand } from "@svc/embed"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const CountOfferWords = Command.make({
  id: "offer.word-count",
  title: "Count the words of an offer",
  summary: "Count the words of an offer",
  description: "Returns the number of words in the one-liner and the value proposition.",
  whenToUse: "Before a mission, to see whether an offer is too long.",
  category: "offers",
  risk: "read",
  scope: "offers:read",
  input: Schema.Struct({ offer_id: Schema.String.annotate({ description: "Id of the offer" }) }),
  output: Schema.Struct({ words: Schema.Int }),
  failures: [NotFound],
  examples: [{ title: "The sample offer", input: { offer_id: "sample-offer" } }],
  run: Effect.fnUntraced(function* ({ offer_id }) {
    // The organization is that of the actor, never part of the input.
    const { organizationId } = yield* Actor
    const offer = yield* (yield* OffersRepo).find(organizationId, offer_id)
    if (offer === undefined) return yield* new NotFound({ kind: "offer", id: offer_id })
    return { words: `${offer.oneLiner} ${offer.valueProposition}`.split(/\s+/).filter(Boolean).length }
  })
})

// The same without Effect: a function, and any Standard Schema for its input; here none, for a command without fields.
const CountLeads = defineCommand({
  id: "crm.count",
  summary: "Count the leads of the CRM",
  risk: "read",
  scope: "leads:read",
  // `svc` acts as the caller, with the caller's rights.
  run: async (_input, { svc }) => ({ leads: (await svc.leads.search({})).count })
})

const svc = await createSvc({
  database: "memory:",
  sample: true,
  commands: [CountOfferWords, CountLeads],
  hooks: { before: ({ command }) => console.log(`before ${command}`) },
  rateLimit: 0
})

const { words } = await svc.offers.wordCount({ offer_id: "sample-offer" })
console.log(`in process: ${words} words`)
console.log(`of the CRM: ${(await svc.crm.count()).leads > 0}`)

const { apiKey } = await svc.createOrganization("Another")
const response = await svc.fetch(
  new Request("http://host/api/v1/commands/offer.word-count", {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ offer_id: "sample-offer" })
  })
)
// The sample belongs to the first organization; another one cannot see it.
console.log(`over HTTP, as another organization: ${response.status} ${(await response.json()).error.code}`)
console.log(
  `in the catalogue: ${(await svc.commands.list()).some(({ command_id }) => command_id === "offer.word-count")}`
)

await svc.close()
