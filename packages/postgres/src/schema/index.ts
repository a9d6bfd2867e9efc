/**
 * The whole schema: what the first migration creates.
 *
 * Tables come first, in the order of the domains, so that foreign keys find their targets; then indexes; then functions,
 * which may read the tables of every domain.
 */
import { agentsSchema } from "./agents/index.ts"
import { importsSchema } from "./imports/index.ts"
import { leadsSchema } from "./leads/index.ts"
import { missionsSchema } from "./missions/index.ts"
import { offersSchema } from "./offers/index.ts"
import { outreachSchema } from "./outreach/index.ts"
import { reviewSchema } from "./review/index.ts"
import { statistics } from "./statistics.ts"
import { webhooksSchema } from "./webhooks/index.ts"
import { workspaceSchema } from "./workspace/index.ts"

const domains = [
  workspaceSchema,
  webhooksSchema,
  offersSchema,
  agentsSchema,
  missionsSchema,
  leadsSchema,
  outreachSchema,
  importsSchema,
  reviewSchema
]

/** SQL that creates every table, index and function. */
export const schema = [
  ...domains.flatMap(({ tables }) => tables),
  statistics,
  ...domains.flatMap(({ indexes }) => indexes),
  ...domains.flatMap(({ functions }) => functions)
].join("")
