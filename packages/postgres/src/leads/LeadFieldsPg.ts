/** Definitions of own fields and saved filters in PostgreSQL. */
import { LeadFieldsRepo } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Keeps nothing yet. */
export const layer = Layer.succeed(LeadFieldsRepo)({
  hold: () => Effect.void,
  fields: () => Effect.succeed([]),
  saveField: () => Effect.void,
  filters: () => Effect.succeed([]),
  saveFilter: () => Effect.void,
  removeFilter: () => Effect.succeed(false),
  tags: () => Effect.succeed([])
})
