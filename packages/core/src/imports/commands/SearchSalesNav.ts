import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { salesNavAudience } from "../Audience.ts"
import { ImportResult } from "../Import.ts"
import { importSearch } from "../importSearch.ts"
import { exampleSearch, SearchUrl } from "../SearchUrl.ts"
import { parseSalesNavUrl } from "../salesnav/SalesNavSearch.ts"
import { peopleLimit, searchFields, searchImport, searchNotes } from "../searchFields.ts"

/** `import.sales-nav.search`: imports the people of a Sales Navigator search into a mission. */
export const SearchSalesNav = Command.make({
  id: "import.sales-nav.search",
  title: "Import a Sales Navigator search",
  summary: "Import people from a Sales Navigator search",
  description:
    "Reads the search through a linked LinkedIn account, page by page, and adds each person to the mission. New " +
    "people are created. Existing leads only have their gaps filled; values that a person entered are kept. The same " +
    "search is imported once per mission, whatever the spelling of its URL; use refresh to continue it or to find " +
    "new people. A long import continues in the background and returns message running.",
  whenToUse: "To fill a mission with an audience you built in Sales Navigator.",
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
  unlisted: ["account_id", "refresh", "start_page", "mission_handle"],
  output: ImportResult,
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
