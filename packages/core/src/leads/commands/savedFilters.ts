import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Command from "../../kernel/command/Command.ts"
import { Actor } from "../../kernel/command/Execution.ts"
import { InvalidInput, NotFound } from "../../kernel/failure/failures.ts"
import { decoder } from "../../kernel/schema/Decode.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { searchFields } from "../history/LeadHistory.ts"
import { compareText } from "../identity/Identity.ts"
import { LeadFieldsRepo, type LeadSetup } from "../LeadFieldsRepo.ts"
import { folded } from "../ownFields.ts"
import { checkKeys } from "../ownValues.ts"

/** Maximum number of saved filters. */
const maxFilters = 100

/** What a filter may hold: all filters of a search but an address, which is that of one person. */
const Filter = Schema.Struct(Struct.omit(searchFields, ["email"]))

const decodeFilter = decoder(Filter)

/** Name of a saved filter. */
export const filterName = nonEmptyLine(100, "Name of a saved filter, in any case")

const notFound = new NotFound({
  kind: "filter",
  message: "Saved filter not found. List filters with lead.filter.list."
})

const isNamed = (name: string) => (saved: LeadSetup["filters"][number]) => folded(saved.name) === folded(name)

/** A saved filter. Fails with NOT_FOUND, and with INVALID_INPUT for one that holds what is no filter any more. */
export const readFilter = Effect.fnUntraced(function* (name: string) {
  const { filters } = yield* (yield* LeadFieldsRepo).read((yield* Actor).organizationId)
  const saved = filters.find(isNamed(name))
  return saved === undefined ? yield* notFound : yield* Effect.fromResult(decodeFilter(saved.filter))
})

/** `lead.filter.save`: saves a filter, or deletes it. */
export const SaveLeadFilter = Command.make({
  id: "lead.filter.save",
  title: "Save a filter",
  summary: "Save filters of lead.search under a name",
  description:
    "Saves filters for everybody in the organization; lead.search takes their name as saved_filter. The same name, in any " +
    "case, replaces them, and null deletes them.",
  whenToUse: "For a list of leads that you look at again and again.",
  risk: "mutate",
  scope: "leads:write",
  input: Schema.Struct({
    name: filterName,
    filter: Schema.NullOr(Filter).annotate({ description: "Filters of lead.search, apart from email; null deletes" })
  }),
  output: Schema.Struct({ name: Schema.String, filter: Schema.NullOr(Filter) }),
  failures: [NotFound],
  riskNotes: ["Changes no lead."],
  relatedCommands: ["lead.filter.list", "lead.search", "lead.field.list"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [
    { title: "Good leads nobody wrote to", input: { name: "Fresh", filter: { status: ["New"], score_min: 70 } } }
  ],
  run: Effect.fnUntraced(function* ({ filter, name }) {
    const { organizationId } = yield* Actor
    const repo = yield* LeadFieldsRepo
    const { fields, filters } = yield* repo.hold(organizationId)
    const others = filters.filter((saved) => !isNamed(name)(saved))
    if (filter === null && others.length === filters.length) return yield* notFound
    if (filter !== null && others.length >= maxFilters) {
      const message = `name: the maximum is ${maxFilters} saved filters. Delete one with filter null first.`
      return yield* new InvalidInput({ message })
    }
    yield* Effect.fromResult(checkKeys(fields, filter?.fields))
    yield* repo.save(organizationId, { fields, filters: filter === null ? others : [...others, { name, filter }] })
    return { name, filter }
  })
})

/** `lead.filter.list`: lists saved filters. */
export const ListLeadFilters = Command.make({
  id: "lead.filter.list",
  title: "List saved filters",
  summary: "List the saved filters of lead.search",
  description: `Returns the saved filters of the organization by name, at most ${maxFilters}.`,
  whenToUse: "To see which lists of leads people look at.",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({}),
  output: Schema.Struct({
    filters: Schema.Array(Schema.Struct({ name: Schema.String, filter: Schema.Record(Schema.String, Schema.Unknown) }))
  }),
  failures: [],
  relatedCommands: ["lead.filter.save", "lead.search"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [{ title: "All", input: {} }],
  run: Effect.fnUntraced(function* () {
    const { filters } = yield* (yield* LeadFieldsRepo).read((yield* Actor).organizationId)
    return { filters: filters.toSorted((a, b) => compareText(folded(a.name), folded(b.name))) }
  })
})
