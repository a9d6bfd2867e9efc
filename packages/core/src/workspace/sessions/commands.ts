/** Signing in to the review page. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Actor } from "../../kernel/command/Execution.ts"
import { noPolicies } from "../../kernel/command/Permission.ts"
import { NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { Instant } from "../../kernel/schema/IdsAndTime.ts"
import { KeyIdText } from "../keys/KeyView.ts"
import { expiryWithin, refuseSession, rightsRefusal } from "../keys/keyRights.ts"
import { lockKey } from "../organizations/Provisioning.ts"
import { createLink } from "./SignIn.ts"

/** `session.link.create`: a one-time link to the review page. */
const CreateSessionLink = Command.make({
  id: "session.link.create",
  title: "Create a sign-in link",
  summary: "Create a one-time link to the review page",
  description:
    "Returns a link that signs one browser in to the review page as a key's user, with the key's rights as they are at any " +
    "time. It works once, within five minutes. The session ends after 12 hours without a request, after 7 days, or with its " +
    "key; key.list lists links and sessions, and key.revoke ends them. The key must be a person's with full rights, and " +
    "one that the caller could rotate; neither an AI agent nor a session can create links.",
  whenToUse: "To open the review page without entering an API key; svc open does it and opens the browser.",
  category: "workspace",
  risk: "mutate",
  scope: "keys:manage",
  effects: { does: ["governs"], channels: [] },
  input: Schema.Struct({
    key_id: Schema.optionalKey(
      KeyIdText.annotate({ description: "The key to sign in with, by its key id; default the calling key" })
    )
  }),
  output: Schema.Struct({
    path: Schema.NullOr(Schema.String).annotate({
      description:
        "Path of the link below the URL of the service, /review#link=CODE, shown only once; null in a dry run and in a " +
        "repeated response"
    }),
    key_id: Schema.String.annotate({ description: "Key id of the link, and then of its session, for key.revoke" }),
    expires_at: Instant.annotate({ description: "Until when the link can be used" })
  }),
  failures: [NotFound, WrongState],
  shownOnce: ["path"],
  riskNotes: ["Anyone with the link can sign in with the key's rights until it is used."],
  relatedCommands: ["key.list", "key.revoke"],
  examples: [{ title: "A link for a key", input: { key_id: "samplerotate" } }],
  run: Effect.fnUntraced(function* ({ key_id }) {
    const actor = yield* Actor
    yield* refuseSession(actor)
    const keyId = key_id ?? actor.keyId
    if (keyId === null) {
      return yield* new WrongState({ message: "You call without a key. Send the key_id of the key to sign in with." })
    }
    const parent = yield* lockKey(actor.organizationId, keyId)
    const refused = rightsRefusal(actor, { policies: noPolicies, ...parent })
    if (refused !== undefined) return yield* refused
    yield* expiryWithin(parent.expiresAt)
    const { key, path } = yield* createLink(parent)
    return { path, key_id: key.keyId, expires_at: key.expiresAt ?? "" }
  })
})

/** The commands of this domain. */
export const commands = [CreateSessionLink] as const
