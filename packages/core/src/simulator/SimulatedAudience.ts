/** Who a search of the simulated LinkedIn finds, by the address of the search. */
import * as Result from "effect/Result"
import type { Failure } from "../Failure.ts"
import {
  linkedInFingerprint,
  linkedInResultsPerPage,
  parseLinkedInSearchUrl
} from "../imports/linkedinsearch/LinkedInSearch.ts"
import { fingerprint } from "../imports/salesnav/Fingerprint.ts"
import { parseSalesNavUrl, resultsPerPage } from "../imports/salesnav/SalesNavSearch.ts"
import type { FoundPerson } from "../linkedin/LinkedInGateway.ts"
import { memberAt, personAt } from "./SimulatedPeople.ts"

/** An audience. `page` is the one that the address points at, from 1. */
export interface SimulatedAudience {
  readonly keywords: string
  readonly page: number
  readonly pageSize: number
  readonly personAt: (place: number) => FoundPerson
}

/** The audience of a search of either kind. Fails as reading the address does. */
export const simulatedAudience = (url: string): Result.Result<SimulatedAudience, Failure> => {
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
