import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { line, nonEmptyLine } from "../../TextFields.ts"
import { salesNavAudience } from "../Audience.ts"
import { ImportResult } from "../Import.ts"
import { importSearch } from "../importSearch.ts"
import { filterTypes } from "../salesnav/FilterVocabulary.ts"
import { filterSearch } from "../salesnav/filterSearch.ts"
import { formatSalesNavUrl } from "../salesnav/SalesNavSearch.ts"
import { peopleLimit, searchFields, searchNotes, searchRisks } from "../searchFields.ts"

const textOrNull = Schema.NullOr(Schema.String)

const someFilters = [...filterTypes.keys()].slice(0, 6).join(", ")

const values = (description: string) =>
  Schema.Record(
    Schema.String.check(Schema.isMaxLength(60)),
    Schema.Array(nonEmptyLine(200)).check(Schema.isMaxLength(100))
  )
    .annotate({ description })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed({})))

/** `import.sales-nav.filters`: imports the people whom filters of Sales Navigator find. */
export const SearchSalesNavFilters = Command.make({
  id: "import.sales-nav.filters",
  title: "Import people by Sales Navigator filters",
  summary: "Search Sales Navigator by filters and keywords and add the people to a mission as leads.",
  description:
    "Makes the search out of filters, for those who have no address to copy, and imports it as import.sales-nav.search " +
    "does: page by page, once per mission, in the background when it takes long. The answer holds the address of the " +
    "search that was made, to be opened in Sales Navigator or refreshed later.",
  whenToUse: "To fill a mission with an audience that is described and not yet put together in Sales Navigator.",
  category: "imports",
  risk: "approval",
  scope: "imports:run",
  outward: true,
  input: Schema.Struct({
    filters: values(
      `Filters with the values of which one must hold, such as ${someFilters}. A value is an id of LinkedIn, the plain ` +
        "name of a known one such as director, or text"
    ),
    exclude: values("Filters with values none of which may hold"),
    keywords: Schema.optionalKey(line(500, "Words that the profile must have")),
    ...searchFields,
    limit: peopleLimit(2_500)
  }),
  output: Schema.Struct({
    ...ImportResult.fields,
    generated_search_url: Schema.String.annotate({ description: "Address of the search in Sales Navigator" }),
    generated_search_params: Schema.Struct({
      keywords: textOrNull,
      filters: Schema.Array(
        Schema.Struct({
          type: Schema.String,
          values: Schema.Array(
            Schema.Struct({
              id: textOrNull,
              text: textOrNull,
              selection_type: Schema.Literals(["INCLUDED", "EXCLUDED"])
            })
          )
        })
      )
    })
  }),
  riskNotes: searchRisks,
  outputNotes: [...searchNotes, "generated_search_params says how each filter and value was understood."],
  relatedCommands: ["import.sales-nav.search", "import.sales-nav.parse", "import.resume", "import.get", "lead.search"],
  relatedResources: ["svc://imports/{id}", "svc://missions/{handle}"],
  examples: [
    {
      title: "Finance chiefs of small companies",
      input: {
        mission_handle: "spring-outreach",
        filters: { CURRENT_TITLE: ["CFO"], COMPANY_HEADCOUNT: ["11-50", "51-200"] },
        exclude: { SENIORITY_LEVEL: ["in training"] },
        limit: 25
      }
    }
  ],
  run: Effect.fnUntraced(function* ({ exclude, filters, keywords, ...input }) {
    const words = keywords === undefined || keywords === "" ? undefined : keywords
    const search = yield* Effect.fromResult(filterSearch({ filters, exclude, keywords: words }))
    const url = formatSalesNavUrl(search)
    return yield* importSearch(input, salesNavAudience("SALES_NAV_FILTERS", search, url), (result) => ({
      ...result,
      generated_search_url: url,
      generated_search_params: {
        keywords: search.keywords,
        filters: search.filters.map((filter) => ({
          type: filter.type,
          values: filter.values.map(({ id, selection, text }) => ({ id, text, selection_type: selection }))
        }))
      }
    }))
  })
})
