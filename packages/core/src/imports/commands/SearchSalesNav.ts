import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { salesNavAudience } from "../Audience.ts"
import { ImportResult } from "../Import.ts"
import { importSearch } from "../importSearch.ts"
import { exampleSearch, SearchUrl } from "../SearchUrl.ts"
import { parseSalesNavUrl } from "../salesnav/SalesNavSearch.ts"
import { peopleLimit, searchFields, searchNotes, searchRisks } from "../searchFields.ts"

/** `import.sales-nav.search`: imports the people of a Sales Navigator search into a mission. */
export const SearchSalesNav = Command.make({
  id: "import.sales-nav.search",
  title: "Import a Sales Navigator search",
  summary: "Read the people of a Sales Navigator search and add them to a mission as leads.",
  description:
    "Reads the search through a LinkedIn account, page by page, and adds each person to the mission: new people are " +
    "created, known ones are updated with what was not known, what a person wrote by hand stays. The same search is " +
    "imported once per mission, however its address is spelled; refresh goes on or looks for new people. A long import " +
    "continues in the background and answers with message running.",
  whenToUse: "To fill a mission with an audience that was put together in Sales Navigator.",
  category: "imports",
  risk: "approval",
  scope: "imports:run",
  outward: true,
  input: Schema.Struct({
    url: SearchUrl,
    ...searchFields,
    limit: peopleLimit(2_500),
    start_page: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({
        description: "Page of results to begin at, 25 people a page"
      })
    )
  }),
  output: ImportResult,
  riskNotes: searchRisks,
  outputNotes: searchNotes,
  relatedCommands: [
    "import.sales-nav.parse",
    "import.sales-nav.filters",
    "import.resume",
    "import.get",
    "import.list",
    "lead.search",
    "mission.get"
  ],
  relatedResources: ["svc://imports/{id}", "svc://missions/{handle}"],
  examples: [
    {
      title: "The first 25 people of a search",
      input: { url: exampleSearch, mission_handle: "spring-outreach", limit: 25 }
    }
  ],
  run: Effect.fnUntraced(function* ({ url, ...input }) {
    const search = yield* Effect.fromResult(parseSalesNavUrl(url))
    return yield* importSearch(input, salesNavAudience("SALES_NAV_SEARCH", search, url), identity)
  })
})
