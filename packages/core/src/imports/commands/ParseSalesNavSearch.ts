import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { exampleSearch, SearchUrl } from "../SearchUrl.ts"
import { explain } from "../salesnav/Explanation.ts"
import { filterName } from "../salesnav/FilterVocabulary.ts"
import { fingerprint } from "../salesnav/Fingerprint.ts"
import { parseSalesNavUrl } from "../salesnav/SalesNavSearch.ts"

const textOrNull = Schema.NullOr(Schema.String)

const ParsedFilter = Schema.Struct({
  type: Schema.String.annotate({ description: "LinkedIn's name of the filter, such as SENIORITY_LEVEL" }),
  name: Schema.String.annotate({ description: "The same in plain words" }),
  values: Schema.Array(
    Schema.Struct({ id: textOrNull, text: textOrNull, selection_type: Schema.Literals(["INCLUDED", "EXCLUDED"]) })
  )
})

/** `import.sales-nav.parse`: reads the address of a people search and explains it; no network, nothing stored. */
export const ParseSalesNavSearch = Command.make({
  id: "import.sales-nav.parse",
  title: "Explain a Sales Navigator search",
  summary: "Read the address of a Sales Navigator people search and say what it finds.",
  description:
    "Takes the address of a people search apart: keywords, filters with their values, the saved search it names, and what " +
    "is not understood. The fingerprint is the same for every spelling of the same audience. Asks LinkedIn nothing.",
  whenToUse: "Before import.sales-nav.search, to see whether the address finds who you mean and what to beware of.",
  category: "imports",
  risk: "read",
  scope: "imports:read",
  input: Schema.Struct({ url: SearchUrl }),
  output: Schema.Struct({
    fingerprint: Schema.String.annotate({ description: "Hash of the audience: equal for equal searches" }),
    keywords: textOrNull,
    filters: Schema.Array(ParsedFilter),
    saved_search_id: textOrNull,
    unknown: Schema.Array(Schema.String).annotate({ description: "Parts that are not understood; they are kept" }),
    explanation: Schema.String,
    warnings: Schema.Array(Schema.String)
  }),
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
