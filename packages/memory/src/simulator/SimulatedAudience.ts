/** Who a search of the simulated LinkedIn finds, by the URL of the search. */

import type { InvalidInput } from "@svc/core"
import {
  fingerprint,
  linkedInFingerprint,
  linkedInResultsPerPage,
  parseLinkedInSearchUrl,
  parseSalesNavUrl,
  resultsPerPage
} from "@svc/core/imports"
import type { FoundPerson, NotAPeopleSearch } from "@svc/core/outreach"
import * as Result from "effect/Result"
import { memberAt, personAt } from "./SimulatedPeople.ts"

/** An audience. `page` is the one in the URL, from 1. */
interface SimulatedAudience {
  readonly keywords: string
  readonly page: number
  readonly pageSize: number
  readonly personAt: (place: number) => FoundPerson
}

/** The audience of a LinkedIn or Sales Navigator search. Fails as parsing the URL does. */
export const simulatedAudience = (url: string): Result.Result<SimulatedAudience, InvalidInput | NotAPeopleSearch> => {
  const classic = parseLinkedInSearchUrl(url)
  if (Result.isSuccess(classic)) {
    const { keywords, page } = classic.success
    const audience = linkedInFingerprint(classic.success)
    return Result.succeed({
      keywords: keywords ?? "",
      page,
      pageSize: linkedInResultsPerPage,
      personAt: (place) => memberAt(audience, place)
    })
  }
  return Result.map(parseSalesNavUrl(url), (search) => {
    const audience = fingerprint(search)
    return {
      keywords: search.keywords ?? "",
      page: search.page,
      pageSize: resultsPerPage,
      personAt: (place) => personAt(audience, place)
    }
  })
}
