import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { NotAPeopleSearch } from "../../outreach/failures.ts"
import { exampleSearch, SearchUrl } from "../SearchUrl.ts"
import { explain } from "../salesnav/Explanation.ts"
import { filterName } from "../salesnav/FilterVocabulary.ts"
import { fingerprint } from "../salesnav/Fingerprint.ts"
import { parseSalesNavUrl } from "../salesnav/SalesNavSearch.ts"

const textOrNull = Schema.NullOr(Schema.String)

const ParsedFilter = Schema.Struct({
  type: Schema.String.annotate({ description: "LinkedIn's name for the filter, such as SENIORITY_LEVEL" }),
  name: Schema.String.annotate({ description: "The filter in plain words" }),
  values: Schema.Array(
    Schema.Struct({ id: textOrNull, text: textOrNull, selection_type: Schema.Literals(["INCLUDED", "EXCLUDED"]) })
  )
})

/** `import.sales-nav.parse`: explains the URL of a people search, offline. */
export const ParseSalesNavSearch = Command.make({
  id: "import.sales-nav.parse",
  title: "Explain a Sales Navigator search",
  summary: "Explain the URL of a Sales Navigator people search",
  description:
    "Parses the URL of a people search: keywords, filters with their values, the saved search it names, and parts " +
    "that are not recognized. Different spellings of the same search have the same fingerprint. Does not contact " +
    "LinkedIn.",
  whenToUse: "Before import.sales-nav.search, to check that the URL finds the people you mean.",
  category: "imports",
  risk: "read",
  scope: "imports:read",
  input: Schema.Struct({ url: SearchUrl }),
  output: Schema.Struct({
    fingerprint: Schema.String.annotate({ description: "Hash of the search: the same for equivalent searches" }),
    keywords: textOrNull,
    filters: Schema.Array(ParsedFilter),
    saved_search_id: textOrNull,
    unknown: Schema.Array(Schema.String).annotate({ description: "Parts that are not recognized; they are kept" }),
    explanation: Schema.String,
    warnings: Schema.Array(Schema.String)
  }),
  failures: [NotAPeopleSearch],
  outputNotes: ["explanation is one paragraph in plain words; warnings say what to know before importing."],
  relatedCommands: ["import.sales-nav.search"],
  relatedResources: ["svc://guide"],
  examples: [{ title: "A search by seniority and keywords", input: { url: exampleSearch } }],
  run: Effect.fnUntraced(function* ({ url }) {
    const search = yield* Effect.fromResult(parseSalesNavUrl(url))
    return {
      fingerprint: fingerprint(search),
      keywords: search.keywords,
      filters: search.filters.map(({ type, values }) => ({
        type,
        name: filterName(type),
        values: values.map(({ id, selection, text }) => ({ id, text, selection_type: selection }))
      })),
      saved_search_id: search.savedSearchId,
      unknown: search.unknown,
      ...explain(search)
    }
  })
})
