import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { body, nonEmptyLine } from "../../TextFields.ts"
import { ImportResult } from "../Import.ts"
import { importSearch } from "../importSearch.ts"
import { exampleSearch, SearchUrl } from "../SearchUrl.ts"

const optional = Schema.optionalKey

const whole = (minimum: number, maximum: number, otherwise: number, description: string) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))
    .annotate({ description })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(otherwise)))

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
    mission_id: optional(nonEmptyLine(64, "The mission that gets the leads: its id or its handle")),
    mission_handle: optional(nonEmptyLine(64, "Another word for mission_id")),
    name: optional(nonEmptyLine(200, "Name of the import; made of keywords or filters and the date if left out")),
    context: optional(body(2_000, "Your own note about the import, shown with it")),
    account_id: optional(nonEmptyLine(64, "LinkedIn account to search with; that of the mission's agent if left out")),
    limit: whole(1, 2_500, 100, "How many people to read at most, 1 to 2,500; default 100"),
    start_page: optional(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({
        description: "Page of results to begin at, 25 people a page"
      })
    ),
    refresh: Schema.Boolean.annotate({
      description: "Go on with an earlier import of this search instead of answering it as it is"
    }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
    wait_seconds: whole(0, 25, 20, "How long to wait for the end, 0 to 25 seconds; default 20")
  }),
  output: ImportResult,
  riskNotes: [
    "Reads LinkedIn with a connected account, which counts against the limits of that account.",
    "Creates and updates leads; contacts nobody."
  ],
  outputNotes: [
    "created + updated + skipped + invalid are the people seen; updated_ids are the leads that changed.",
    "already_exists says that the mission had an import of this search before; message says when, or running, or why it stopped."
  ],
  relatedCommands: ["import.sales-nav.parse", "import.get", "import.list", "lead.search", "mission.get"],
  relatedResources: ["svc://imports/{id}", "svc://missions/{handle}"],
  examples: [
    {
      title: "The first 25 people of a search",
      input: { url: exampleSearch, mission_handle: "spring-outreach", limit: 25 }
    }
  ],
  run: importSearch
})
