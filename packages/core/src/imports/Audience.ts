/** The audience of a search, for both kinds of LinkedIn search: fingerprint, URL and default name of an import. */
import * as Result from "effect/Result"

import { type InvalidInput, WrongState } from "../kernel/failure/failures.ts"
import type { ImportType } from "../missions/MissionInput.ts"
import type { NotAPeopleSearch } from "../outreach/failures.ts"
import type { ImportRun } from "./ImportRun.ts"
import {
  formatLinkedInSearchUrl,
  type LinkedInSearch,
  linkedInFingerprint,
  linkedInImportName,
  parseLinkedInSearchUrl
} from "./linkedinsearch/LinkedInSearch.ts"
import { importName } from "./salesnav/Explanation.ts"
import { fingerprint } from "./salesnav/Fingerprint.ts"
import { formatSalesNavUrl, parseSalesNavUrl, type SalesNavSearch } from "./salesnav/SalesNavSearch.ts"

/** A search as an import sees it. */
export interface Audience {
  readonly type: ImportType
  /** Equal for equal audiences of the same kind of search. */
  readonly fingerprint: string
  /** The URL that is stored and shown with the import. */
  readonly url: string
  /** The URL to search by, starting at a page of results; the first is 1. */
  readonly urlFrom: (page: number) => string
  /** Default name of an import that starts at `at`. */
  readonly nameAt: (at: string) => string
}

/** The audience of a Sales Navigator search. `url` is the URL as sent or built. */
export const salesNavAudience = (
  type: "SALES_NAV_SEARCH" | "SALES_NAV_FILTERS",
  search: SalesNavSearch,
  url: string
): Audience => ({
  type,
  fingerprint: fingerprint(search),
  url,
  urlFrom: (page) => formatSalesNavUrl({ ...search, page }),
  nameAt: (at) => importName(search, at)
})

/** The audience of a classic LinkedIn people search. `url` is the URL as sent. */
export const linkedInAudience = (search: LinkedInSearch, url: string): Audience => ({
  type: "LINKEDIN_SEARCH",
  fingerprint: linkedInFingerprint(search),
  url,
  urlFrom: (page) => formatLinkedInSearchUrl(search, page),
  nameAt: (at) => linkedInImportName(search, at)
})

/** The URL to resume a stored search by. Fails with WRONG_STATE for an import that is not a search. */
export const searchUrlOf = ({
  sourceUrl,
  type
}: ImportRun): Result.Result<string, InvalidInput | NotAPeopleSearch | WrongState> => {
  if (sourceUrl !== null && (type === "SALES_NAV_SEARCH" || type === "SALES_NAV_FILTERS")) {
    return Result.map(parseSalesNavUrl(sourceUrl), (search) => formatSalesNavUrl({ ...search, page: 1 }))
  }
  if (sourceUrl !== null && type === "LINKEDIN_SEARCH") {
    return Result.map(parseLinkedInSearchUrl(sourceUrl), (search) => formatLinkedInSearchUrl(search, 1))
  }
  return Result.fail(
    new WrongState({ message: "The source of this import cannot be read again. Send its leads again." })
  )
}
