/** Schemas of a bridge's responses, over untrusted JSON. `README.md` of this package describes them. */

import { ProviderId, refusalKinds, soft, softTexts } from "@svc/core/internal"
import * as Schema from "effect/Schema"

const version = Schema.Literal(1)

const NullableId = Schema.optionalKey(Schema.NullOr(ProviderId))

/** `outcome: refused`. */
export const Refusal = Schema.Struct({
  version,
  outcome: Schema.Literal("refused"),
  kind: Schema.Literals(refusalKinds),
  code: soft(Schema.String),
  retry_after_seconds: soft(Schema.Number)
})

/** `outcome: unavailable`: nothing was done, so a retry is safe. */
export const Unavailability = Schema.Struct({
  version,
  outcome: Schema.Literal("unavailable"),
  detail: soft(Schema.String)
})

/** `outcome: confirmed`, of a write. */
export const Confirmation = Schema.Struct({
  version,
  outcome: Schema.Literal("confirmed"),
  message_id: NullableId,
  external_id: NullableId
})

/** `outcome: unknown`, of a write. */
export const UnknownOutcome = Schema.Struct({
  version,
  outcome: Schema.Literal("unknown"),
  detail: soft(Schema.String)
})

const found = { version, outcome: Schema.Literal("found") }

/** `/relation`. */
export const RelationResponse = Schema.Struct({
  ...found,
  connected: Schema.Boolean,
  chat_id: Schema.NullOr(ProviderId),
  invitation: Schema.Literals(["none", "pending"])
})

/** `/search`. Each row is decoded on its own. */
export const SearchResponse = Schema.Struct({
  ...found,
  people: Schema.Array(Schema.Unknown),
  next: Schema.NullOr(Schema.String.check(Schema.isMaxLength(8_000))),
  total: Schema.Int
})

/** A row of `/search`, with at least one of the two tokens. */
export const PersonRow = Schema.Struct({
  sales_nav_token: soft(ProviderId),
  profile_token: soft(ProviderId),
  ...softTexts("member_id", "public_slug", "profile_url", "picture_url"),
  ...softTexts("first_name", "last_name", "headline", "job_title", "company", "location"),
  degree: soft(Schema.Literals([1, 2, 3]))
})

/** A person of `/profile`, `/messages` and `/relations`. */
export const NamedRow = Schema.Struct({
  id: ProviderId,
  profile_token: soft(ProviderId),
  ...softTexts("full_name", "member_id", "public_slug", "profile_url", "picture_url")
})

/** `/profile`. */
export const ProfileResponse = Schema.Struct({
  ...found,
  person: NamedRow,
  headline: soft(Schema.String),
  degree: soft(Schema.Literals([1, 2, 3])),
  connected: soft(Schema.Boolean),
  invitation: Schema.Literals(["none", "pending", "received"])
})

/** `/messages` and `/relations`. Each row is decoded on its own. */
export const ListResponse = Schema.Struct({
  ...found,
  items: Schema.Array(Schema.Unknown),
  next: Schema.NullOr(Schema.String.check(Schema.isMaxLength(8_000)))
})

/** A row of `/messages`. */
export const MessageRow = Schema.Struct({
  message_id: ProviderId,
  external_id: soft(ProviderId),
  chat_id: ProviderId,
  direction: Schema.Literals(["inbound", "outbound"]),
  sender: soft(NamedRow),
  text: soft(Schema.String),
  at: Schema.String
})

/** A row of `/relations`. */
export const RelationRow = Schema.Struct({ person: NamedRow, connected_at: soft(Schema.String) })
