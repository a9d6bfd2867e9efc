import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { linkedInAudience } from "../Audience.ts"
import { ImportResult } from "../Import.ts"
import { importSearch } from "../importSearch.ts"
import { maxLinkedInUrlLength, mostLinkedInResults, parseLinkedInSearchUrl } from "../linkedinsearch/LinkedInSearch.ts"
import { peopleLimit, searchFields, searchNotes, searchRisks } from "../searchFields.ts"

const exampleUrl =
  "https://www.linkedin.com/search/results/people/?keywords=fintech%20cfo&geoUrn=%5B%22103644278%22%5D&network=%5B%22S%22%5D"

/** `import.linkedin.search`: imports the people of a search on LinkedIn itself into a mission. */
export const SearchLinkedIn = Command.make({
  id: "import.linkedin.search",
  title: "Import a LinkedIn people search",
  summary: "Read the people of a search on LinkedIn itself and add them to a mission as leads.",
  description:
    "Reads a classic people search through a LinkedIn account, page by page, and adds each person to the mission: new " +
    "people are created, known ones are updated with what was not known, what a person wrote by hand stays. The same " +
    "search is imported once per mission, however its address is spelled; refresh goes on or looks for new people. A long " +
    "import continues in the background and answers with message running.",
  whenToUse: "To fill a mission without Sales Navigator. LinkedIn shows at most 1,000 people of such a search.",
  category: "imports",
  risk: "approval",
  scope: "imports:run",
  outward: true,
  input: Schema.Struct({
    url: nonEmptyLine(
      maxLinkedInUrlLength,
      "Address of a people search, https://www.linkedin.com/search/results/people/?keywords=…, copied from the browser"
    ),
    ...searchFields,
    limit: peopleLimit(mostLinkedInResults)
  }),
  output: ImportResult,
  riskNotes: searchRisks,
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
