import * as Effect from "effect/Effect"
import type { ActorKind } from "../../kernel/command/Actor.ts"
import { commandHash } from "../../kernel/command/Envelope.ts"
import { type NewEvent, stampEvents } from "../../kernel/journal/Event.ts"
import { Journal } from "../../kernel/journal/Journal.ts"
import { Ids } from "../../kernel/schema/Ids.ts"
import { now } from "../../kernel/schema/Time.ts"
import type { ApiKey } from "./ApiKey.ts"

/** A change of a key by its own user that is no command, such as signing in. */
interface KeyChange {
  readonly key: ApiKey
  /** Such as `session.start`. */
  readonly commandId: string
  /** Default USER. */
  readonly actorKind?: ActorKind
  readonly events?: ReadonlyArray<NewEvent>
}

/** Writes the audit row and the events of a change, in the transaction of the change. */
export const recordKeyChange = Effect.fnUntraced(function* ({
  actorKind = "USER",
  commandId,
  events = [],
  key: { keyId, organizationId, userId }
}: KeyChange) {
  const createdAt = yield* now
  const stamp = { organizationId, actor: { kind: actorKind, id: userId }, keyId, createdAt }
  const audit = {
    id: yield* (yield* Ids).next("aud"),
    organizationId,
    actorKind,
    userId,
    keyId,
    commandId,
    commandHash: commandHash(organizationId, commandId, { key_id: keyId }),
    subject: { type: "key", id: keyId },
    outcome: "ok",
    createdAt
  } as const
  yield* (yield* Journal).append({ events: yield* stampEvents(events, stamp), audit, idempotency: undefined })
})
