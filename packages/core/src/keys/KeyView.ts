/** A key as people and programs see it: never its secret, nor a hash of it. Source: G36. */
import * as Schema from "effect/Schema"
import { scopes } from "../Policy.ts"
import { Instant } from "../Time.ts"
import type { ApiKey } from "../workspace/ApiKey.ts"

const text = Schema.String

/** One key. */
export const KeyView = Schema.Struct({
  key_id: text.annotate({ description: "Public id of the key: the 12 characters in its middle" }),
  organization_id: text,
  name: text,
  user_id: text.annotate({ description: "The user in whose name the key acts" }),
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
  key_id: key.keyId,
  organization_id: key.organizationId,
  name: key.name,
  user_id: key.userId,
  actor_kind: key.actorKind,
  mode: key.mode,
  scopes: key.scopes,
  created_at: key.createdAt,
  expires_at: key.expiresAt,
  revoked_at: key.revokedAt,
  last_used_at: key.lastUsedAt
})

/** What a new secret is answered with. */
export const IssuedKey = Schema.Struct({
  key: KeyView,
  api_key: Schema.NullOr(text).annotate({
    description: "The key itself, shown only now; null in a dry run and in a repeated answer"
  })
})

/** Input field `key_id`. */
export const KeyIdText = text
  .check(Schema.isPattern(/^[a-z2-7]{12}$/))
  .annotate({ description: "Id of the key: the 12 characters in its middle" })
