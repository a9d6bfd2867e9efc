/** The sources of leads. */
import * as Schema from "effect/Schema"

/** A source of leads. Values may be added, so readers must tolerate unknown ones. */
export const ImportType = Schema.Literals([
  "CSV",
  "SALES_NAV_SEARCH",
  "SALES_NAV_FILTERS",
  "LINKEDIN_SEARCH",
  "LINKEDIN_POST_ENGAGERS",
  "LINKEDIN_GROUP",
  "LINKEDIN_PROFILE_VIEWERS",
  "LINKEDIN_COMPANY_VIEWERS",
  "API",
  "MANUAL"
])
export type ImportType = typeof ImportType.Type
