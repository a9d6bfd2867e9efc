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

/** A type by its name in the URL; its plain name says the same in small letters, unless another one is given. */
const type = (
  key: string,
  values: Readonly<Record<string, string>> = {},
  name = key.toLowerCase().replaceAll("_", " ")
): readonly [string, FilterType] => [key, { name, values: new Map(Object.entries(values)) }]

const plain = (keys: string) => keys.split(" ").map((key) => type(key))

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
  type("INDUSTRY", { "4": "Software Development", "104": "Staffing and Recruiting" }),
  type("FUNCTION", functions),
  type("SENIORITY_LEVEL", seniorities),
  type("COMPANY_HEADCOUNT", headcounts),
  type("COMPANY_TYPE"),
  type("YEARS_AT_CURRENT_COMPANY", { "5": "more than 10 years" }, "time at the current company"),
  type("YEARS_IN_CURRENT_POSITION", { "1": "less than a year" }, "time in the current position"),
  type("YEARS_OF_EXPERIENCE", {}, "experience"),
  type("PROFILE_LANGUAGE"),
  type("REGION", { "103644278": "United States" }),
  ...plain("FIRST_NAME LAST_NAME CURRENT_TITLE PAST_TITLE CURRENT_COMPANY PAST_COMPANY COMPANY_HEADQUARTERS SCHOOL"),
  type("RELATIONSHIP", relationships),
  ...plain("LEAD_LIST ACCOUNT_LIST GROUP"),
  type("GROUPS", {}, "group"),
  ...plain("PERSONA CONNECTIONS_OF"),
  type("RECENTLY_CHANGED_JOBS", { RPC: "yes" }, "recent job change"),
  type("POSTED_ON_LINKEDIN", { RPOL: "yes" }, "recent post on LinkedIn"),
  type("PAST_COLLEAGUE", { PCOLL: "yes" }),
  type("FOLLOWS_YOUR_COMPANY", { CF: "yes" })
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
