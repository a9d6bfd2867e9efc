import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { line, nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { salesNavAudience } from "../Audience.ts"
import { ImportResult } from "../Import.ts"
import { importSearch } from "../importSearch.ts"
import { filterTypes } from "../salesnav/FilterVocabulary.ts"
import { filterSearch } from "../salesnav/filterSearch.ts"
import { formatSalesNavUrl } from "../salesnav/SalesNavSearch.ts"
import { peopleLimit, searchFields, searchImport, searchNotes } from "../searchFields.ts"

const textOrNull = Schema.NullOr(Schema.String)

const someFilters = [...filterTypes.keys()].slice(0, 6).join(", ")

const values = (description: string) =>
  Schema.Record(
    Schema.String.check(Schema.isMaxLength(60)),
    Schema.Array(nonEmptyLine(200)).check(Schema.isMaxLength(100))
  )
    .check(Schema.isMaxProperties(filterTypes.size))
    .annotate({ description })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed({})))

/** `import.sales-nav.filters`: imports people by Sales Navigator filters. */
export const SearchSalesNavFilters = Command.make({
  id: "import.sales-nav.filters",
  title: "Import people by Sales Navigator filters",
  summary: "Import people by Sales Navigator filters and keywords",
  description:
    "Builds a search from filters, so that no URL is needed, and imports it like import.sales-nav.search: page by " +
    "page, once per mission, in the background when it takes long. Returns the URL of the search, which you can open " +
    "in Sales Navigator or refresh later.",
  whenToUse: "To fill a mission with an audience that you can describe but have not built in Sales Navigator.",
  ...searchImport,
  input: Schema.Struct({
    filters: values(
      `Filters and the values to include, such as ${someFilters}. A value is a LinkedIn id, a known name such as ` +
        "director, or text"
    ),
    exclude: values("Filters and the values to exclude"),
    keywords: Schema.optionalKey(line(500, "Keywords that profiles must contain")),
    ...searchFields,
    limit: peopleLimit(2_500)
  }),
  output: Schema.Struct({
    ...ImportResult.fields,
    generated_search_url: Schema.String.annotate({ description: "URL of the search in Sales Navigator" }),
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
  outputNotes: [...searchNotes, "generated_search_params shows how each filter and value was interpreted."],
  relatedCommands: ["import.sales-nav.search", "import.sales-nav.parse", "import.resume", "import.get", "lead.search"],
  relatedResources: ["svc://imports/{id}", "svc://missions/{handle}"],
  examples: [
    {
      title: "CFOs of small companies",
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
