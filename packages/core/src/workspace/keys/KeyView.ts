/** A key as shown: without its secret or a hash of it. */

import * as Schema from "effect/Schema"
import { scopes } from "../../kernel/command/Permission.ts"
import { Instant } from "../../kernel/schema/IdsAndTime.ts"
import { snakeFields } from "../../kernel/schema/snakeCase.ts"
import { formatted, optional } from "../../kernel/schema/TextFields.ts"
import { type ApiKey, useOf } from "../organizations/ApiKey.ts"

const text = Schema.String

/** One key. */
export const KeyView = Schema.Struct({
  key_id: text.annotate({ description: "Public id of the key: the 12 characters in its middle" }),
  organization_id: text,
  name: text,
  use: Schema.Literals(["key", "link", "session", "code", "token"]).annotate({
    description:
      "key: presented by a program; session: a browser signed in to the review page; link: a one-time link to it, not used yet; " +
      "token: an AI agent that a person signed in; code: the same, before its client has finished signing in"
  }),
  parent_key_id: Schema.NullOr(text).annotate({
    description:
      "The key that a session, link, token or code came from. It never has more rights than that key, and ends with it; null " +
      "for a key"
  }),
  user_id: text.annotate({ description: "The user the key acts for" }),
  actor_kind: Schema.Literals(["USER", "AI_AGENT"]),
  mode: Schema.Literals(["full", "draft_only"]),
  scopes: Schema.Array(Schema.Literals(scopes)),
  created_at: Instant,
  expires_at: Schema.NullOr(Instant),
  revoked_at: Schema.NullOr(Instant),
  last_used_at: Schema.NullOr(Instant)
})

/** The view of a key. */
export const viewOf = (key: ApiKey): typeof KeyView.Type => ({
  ...snakeFields(key, ["keyId", "organizationId", "name"]),
  use: useOf(key),
  parent_key_id: key.session?.parentKeyId ?? null,
  ...snakeFields(key, ["userId", "actorKind", "mode", "scopes", "createdAt", "expiresAt", "revokedAt", "lastUsedAt"])
})

/** A key with its new secret. */
export const IssuedKey = Schema.Struct({
  key: KeyView,
  api_key: Schema.NullOr(text).annotate({
    description: "The API key, shown only once; null in a dry run and in a repeated response"
  })
})

/** Input field `key_id`. */
export const KeyIdText = formatted(/^[a-z2-7]{12}$/u, 12, "the 12 characters in the middle of the key").annotate({
  description: "Key id: the 12 characters in the middle of the key"
})

/** Seconds of a day. */
export const daySeconds = 24 * 60 * 60

/** Input field `overlap_seconds`, of keys and of webhooks. */
export const OverlapSeconds = optional(
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 7 * daySeconds })),
  "Seconds for which the old secret stays valid, 0 to 604800; default 86400"
)
