/**
 * Who a search finds, whichever of LinkedIn's searches it is: what makes two searches the same, what an import of it is
 * called, and by which address it is read.
 */
import * as Result from "effect/Result"
import { type Failure, fail } from "../Failure.ts"
import type { ImportRun, ImportType } from "./ImportRun.ts"
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
  /** Equal for equal audiences of one kind of search. */
  readonly fingerprint: string
  /** The address that is kept and shown with the import. */
  readonly url: string
  /** The address to search by, from a page of results on, the first being 1. */
  readonly urlFrom: (page: number) => string
  /** Name of an import that begins at an instant. */
  readonly nameAt: (at: string) => string
}

/** The audience of a Sales Navigator search. `url` is the address as it was given or made. */
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

/** The audience of a people search of LinkedIn itself. `url` is the address as it was given. */
export const linkedInAudience = (search: LinkedInSearch, url: string): Audience => ({
  type: "LINKEDIN_SEARCH",
  fingerprint: linkedInFingerprint(search),
  url,
  urlFrom: (page) => formatLinkedInSearchUrl(search, page),
  nameAt: (at) => linkedInImportName(search, at)
})

/** The address by which a stored search goes on. Fails with WRONG_STATE for an import that is no search. */
export const searchUrlOf = ({ sourceUrl, type }: ImportRun): Result.Result<string, Failure> => {
  if (sourceUrl !== null && (type === "SALES_NAV_SEARCH" || type === "SALES_NAV_FILTERS")) {
    return Result.map(parseSalesNavUrl(sourceUrl), (search) => formatSalesNavUrl({ ...search, page: 1 }))
  }
  if (sourceUrl !== null && type === "LINKEDIN_SEARCH") {
    return Result.map(parseLinkedInSearchUrl(sourceUrl), (search) => formatLinkedInSearchUrl(search, 1))
  }
  return Result.fail(fail("WRONG_STATE", "This import has no source that could be read again. Send its leads again."))
}
