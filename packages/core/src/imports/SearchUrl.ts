/** The input field for a Sales Navigator search URL. */
import { nonEmptyLine } from "../kernel/schema/TextFields.ts"
import { maxUrlLength } from "./salesnav/SalesNavSearch.ts"

/** URL of a people search, validated by `parseSalesNavUrl`. */
export const SearchUrl = nonEmptyLine(
  maxUrlLength,
  "URL of a Sales Navigator people search. https://www.linkedin.com/sales/search/people?query=(…), copied from the " +
    "browser"
)

/** The search of the examples: CXOs by keywords. */
export const exampleSearch =
  "https://www.linkedin.com/sales/search/people?query=(filters%3AList((type%3ASENIORITY_LEVEL%2Cvalues%3AList((id%3A310" +
  "%2Ctext%3ACXO%2CselectionType%3AINCLUDED))))%2Ckeywords%3Afintech)"
