/** The input field for the address of a Sales Navigator people search. */
import { nonEmptyLine } from "../TextFields.ts"
import { maxUrlLength } from "./salesnav/SalesNavSearch.ts"

/** Address of a people search, at most 8,000 characters; what it says is checked by `parseSalesNavUrl`. Source: G19. */
export const SearchUrl = nonEmptyLine(
  maxUrlLength,
  "Address of a Sales Navigator people search, https://www.linkedin.com/sales/search/people?query=(…), copied from the browser"
)

/** A search for examples: people of the level CXO, by keywords. */
export const exampleSearch =
  "https://www.linkedin.com/sales/search/people?query=(filters%3AList((type%3ASENIORITY_LEVEL%2Cvalues%3AList((id%3A310" +
  "%2Ctext%3ACXO%2CselectionType%3AINCLUDED))))%2Ckeywords%3Afintech)"
