/**
 * Names of the filters of a Sales Navigator people search, and of their known ids.
 *
 * Used to explain a search. Not a whitelist: LinkedIn adds filters without notice, so unknown types and ids are kept.
 */

/** A filter type: its name in plain words, and names by id. */
interface FilterType {
  readonly name: string
  readonly values: ReadonlyMap<string, string>
}

const type = (name: string, values: Readonly<Record<string, string>> = {}): FilterType => ({
  name,
  values: new Map(Object.entries(values))
})

const headcounts = {
  A: "self-employed", // [B]
  B: "1-10", // [B]
  C: "11-50",
  D: "51-200",
  E: "201-500", // [B]
  F: "501-1,000", // [B]
  G: "1,001-5,000", // [B]
  H: "5,001-10,000", // [B]
  I: "10,001+"
}

const seniorities = {
  "100": "in training",
  "110": "entry level",
  "120": "senior",
  "130": "strategic",
  "200": "entry-level manager",
  "210": "experienced manager",
  "220": "director",
  "300": "vice president",
  "310": "CXO",
  "320": "owner or partner"
}

const functions = {
  "1": "accounting",
  "2": "administrative",
  "3": "arts and design",
  "4": "business development",
  "5": "community and social services",
  "6": "consulting",
  "7": "education",
  "8": "engineering",
  "9": "entrepreneurship",
  "15": "marketing",
  "26": "customer success and support"
}

const relationships = {
  F: "1st degree", // [B]
  S: "2nd degree",
  O: "3rd degree and beyond", // [B]
  A: "member of a shared group" // [B]
}

/** The known filter types by their name in the URL, for example `SENIORITY_LEVEL`. */
export const filterTypes: ReadonlyMap<string, FilterType> = new Map([
  ["INDUSTRY", type("industry", { "4": "Software Development", "104": "Staffing and Recruiting" })],
  ["FUNCTION", type("function", functions)],
  ["SENIORITY_LEVEL", type("seniority level", seniorities)],
  ["COMPANY_HEADCOUNT", type("company headcount", headcounts)],
  ["COMPANY_TYPE", type("company type")],
  ["YEARS_AT_CURRENT_COMPANY", type("time at the current company", { "5": "more than 10 years" })],
  ["YEARS_IN_CURRENT_POSITION", type("time in the current position", { "1": "less than a year" })],
  ["YEARS_OF_EXPERIENCE", type("experience")],
  ["PROFILE_LANGUAGE", type("profile language")],
  ["REGION", type("region", { "103644278": "United States" })],
  ["FIRST_NAME", type("first name")],
  ["LAST_NAME", type("last name")],
  ["CURRENT_TITLE", type("current title")],
  ["PAST_TITLE", type("past title")],
  ["CURRENT_COMPANY", type("current company")],
  ["PAST_COMPANY", type("past company")],
  ["COMPANY_HEADQUARTERS", type("company headquarters")],
  ["SCHOOL", type("school")],
  ["RELATIONSHIP", type("relationship", relationships)],
  ["LEAD_LIST", type("lead list")],
  ["ACCOUNT_LIST", type("account list")],
  ["GROUP", type("group")],
  ["GROUPS", type("group")],
  ["PERSONA", type("persona")],
  ["CONNECTIONS_OF", type("connections of")],
  ["RECENTLY_CHANGED_JOBS", type("recent job change", { RPC: "yes" })],
  ["POSTED_ON_LINKEDIN", type("recent post on LinkedIn", { RPOL: "yes" })],
  ["PAST_COLLEAGUE", type("past colleague", { PCOLL: "yes" })],
  ["FOLLOWS_YOUR_COMPANY", type("follows your company", { CF: "yes" })]
])

/** The plain name of a filter type, or the type itself if unknown. */
export const filterName = (filterType: string): string => filterTypes.get(filterType)?.name ?? filterType

/**
 * The plain name of a filter value: that of the known id, else the text, else the id. The id comes first because it alone
 * decides what LinkedIn finds; the text is only a label.
 */
export const valueName = (
  filterType: string,
  value: { readonly id: string | null; readonly text: string | null }
): string =>
  (value.id === null ? undefined : filterTypes.get(filterType)?.values.get(value.id)) ??
  value.text ??
  (value.id === null ? "an unknown value" : `id ${value.id}`)
