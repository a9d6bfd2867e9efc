import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { line, nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { NotAPeopleSearch } from "../../outreach/failures.ts"
import { audienceOf, maxLinkedInResults, maxLinkedInUrlLength, salesNavAudience } from "../Audience.ts"
import { ImportResult } from "../Import.ts"
import { exampleSearch, importSearch, peopleLimit, SearchUrl, searchFields, searchImport } from "../importSearch.ts"
import { explain } from "../salesnav/Explanation.ts"
import { filterName, filterTypes } from "../salesnav/FilterVocabulary.ts"
import { filterSearch } from "../salesnav/filterSearch.ts"
import { fingerprint, formatSalesNavUrl, parseSalesNavUrl, type SalesNavSearch } from "../salesnav/SalesNavSearch.ts"

const exampleUrl =
  "https://www.linkedin.com/search/results/people/?keywords=fintech%20cfo&geoUrn=%5B%22103644278%22%5D&network=%5B%22S%22%5D"

/** `import.linkedin.search`: imports the people of a search on LinkedIn itself into a mission. */
export const SearchLinkedIn = Command.make({
  id: "import.linkedin.search",
  title: "Import a LinkedIn people search",
  summary: "Import people from a LinkedIn search into a mission",
  description:
    "Reads a classic LinkedIn people search through a linked account, page by page, and adds each person to the " +
    "mission. New people are created. Existing leads only have their gaps filled; values that a person entered are " +
    "kept. The same search is imported once per mission, whatever the spelling of its URL; use refresh to continue " +
    "it or to find new people, with the source and lawful_basis that it started with. A long import continues in the background and returns message running.",
  whenToUse: "To fill a mission without Sales Navigator. LinkedIn shows at most 1,000 people per search.",
  ...searchImport,
  input: Schema.Struct({
    url: nonEmptyLine(
      maxLinkedInUrlLength,
      "URL of a people search, https://www.linkedin.com/search/results/people/?keywords=…, copied from the browser"
    ),
    ...searchFields,
    limit: peopleLimit(maxLinkedInResults)
  }),
  output: ImportResult,
  relatedCommands: ["import.sales-nav.search", "import.resume", "import.get", "import.list", "lead.search"],
  examples: [
    {
      title: "The first 20 people of a search",
      input: { url: exampleUrl, mission_handle: "spring-outreach", limit: 20 }
    }
  ],
  run: Effect.fnUntraced(function* ({ url, ...input }) {
    return yield* importSearch(input, yield* Effect.fromResult(audienceOf("LINKEDIN_SEARCH", url)), identity)
  })
})

/** `import.sales-nav.search`: imports the people of a Sales Navigator search into a mission. */
export const SearchSalesNav = Command.make({
  id: "import.sales-nav.search",
  title: "Import a Sales Navigator search",
  summary: "Import people from a Sales Navigator search",
  description:
    "Reads the search through a linked LinkedIn account, page by page, and adds each person to the mission. New " +
    "people are created. Existing leads only have their gaps filled; values that a person entered are kept. The same " +
    "search is imported once per mission, whatever the spelling of its URL; use refresh to continue it or to find " +
    "new people, with the source and lawful_basis that it started with. A long import continues in the background and returns message running.",
  whenToUse: "To fill a mission with that audience.",
  ...searchImport,
  input: Schema.Struct({
    url: SearchUrl,
    ...searchFields,
    limit: peopleLimit(2_500),
    start_page: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({
        description: "First page of results to read. 25 people per page"
      })
    )
  }),
  annotations: { unlisted: ["source", "lawful_basis", "account_id", "refresh", "start_page", "mission_handle"] },
  output: ImportResult,
  relatedCommands: [
    "import.sales-nav.parse",
    "import.sales-nav.filters",
    "import.resume",
    "import.get",
    "import.list",
    "lead.search",
    "mission.get"
  ],
  examples: [
    {
      title: "The first 25 people of a search",
      input: { url: exampleSearch, mission_handle: "spring-outreach", limit: 25 }
    }
  ],
  run: Effect.fnUntraced(function* ({ url, ...input }) {
    return yield* importSearch(input, yield* Effect.fromResult(audienceOf("SALES_NAV_SEARCH", url)), identity)
  })
})

const textOrNull = Schema.NullOr(Schema.String)

const FilterValues = Schema.Array(
  Schema.Struct({ id: textOrNull, text: textOrNull, selection_type: Schema.Literals(["INCLUDED", "EXCLUDED"]) })
)

const ParsedFilter = Schema.Struct({
  type: Schema.String.annotate({ description: "LinkedIn's name for the filter, such as SENIORITY_LEVEL" }),
  name: Schema.String.annotate({ description: "The filter in plain words" }),
  values: FilterValues
})

const shownFilters = ({ filters }: SalesNavSearch) =>
  filters.map(({ type, values }) => ({
    type,
    name: filterName(type),
    values: values.map(({ id, selection, text }) => ({ id, text, selection_type: selection }))
  }))

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
      filters: shownFilters(search),
      saved_search_id: search.savedSearchId,
      unknown: search.unknown,
      ...explain(search)
    }
  })
})

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
      filters: Schema.Array(Schema.Struct({ type: Schema.String, values: FilterValues }))
    })
  }),
  outputNotes: [
    ...searchImport.outputNotes,
    "generated_search_params shows how each filter and value was interpreted."
  ],
  relatedCommands: ["import.sales-nav.search", "import.sales-nav.parse", "import.resume", "import.get", "lead.search"],
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
        filters: shownFilters(search).map(({ type, values }) => ({ type, values }))
      }
    }))
  })
})
