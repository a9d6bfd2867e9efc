import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { linkedInAudience } from "../Audience.ts"
import { ImportResult } from "../Import.ts"
import { importSearch } from "../importSearch.ts"
import { maxLinkedInResults, maxLinkedInUrlLength, parseLinkedInSearchUrl } from "../linkedinsearch/LinkedInSearch.ts"
import { peopleLimit, searchFields, searchImport, searchNotes } from "../searchFields.ts"

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
    "it or to find new people. A long import continues in the background and returns message running.",
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
  outputNotes: searchNotes,
  relatedCommands: ["import.sales-nav.search", "import.resume", "import.get", "import.list", "lead.search"],
  relatedResources: ["svc://imports/{id}", "svc://missions/{handle}"],
  examples: [
    {
      title: "The first 20 people of a search",
      input: { url: exampleUrl, mission_handle: "spring-outreach", limit: 20 }
    }
  ],
  run: Effect.fnUntraced(function* ({ url, ...input }) {
    const search = yield* Effect.fromResult(parseLinkedInSearchUrl(url))
    return yield* importSearch(input, linkedInAudience(search, url), identity)
  })
})
