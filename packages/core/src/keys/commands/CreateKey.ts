import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { fail } from "../../Failure.ts"
import { noPolicies, scopeBundles, scopes } from "../../Policy.ts"
import { isoDateTime, line, nonEmptyLine } from "../../TextFields.ts"
import { now } from "../../Time.ts"
import { issueKey } from "../../workspace/Provisioning.ts"
import { Workspaces } from "../../workspace/Workspaces.ts"
import { IssuedKey, viewOf } from "../KeyView.ts"
import { excess } from "../keyRights.ts"

/** `key.create`: makes a key. */
export const CreateKey = Command.make({
  id: "key.create",
  title: "Create an API key",
  summary: "Make an API key with chosen rights; it is shown only in the answer.",
  description:
    "Makes a key that acts in the caller's organization, in the name of the caller's user or of the one named. It cannot " +
    "hold scopes that the caller lacks, and a program's key cannot make a person's. Without scopes a person's key gets " +
    "all that the caller holds, a program's those of a drafter.",
  whenToUse: "To give another program or person access, with no more rights than it needs.",
  category: "workspace",
  risk: "mutate",
  scope: "keys:manage",
  input: Schema.Struct({
    name: nonEmptyLine(200, "What the key is for"),
    scopes: Schema.optionalKey(
      Schema.Array(Schema.Literals(scopes))
        .check(Schema.isMinLength(1), Schema.isMaxLength(scopes.length))
        .annotate({ description: "What the key may do, such as leads:read; admin holds every other scope" })
    ),
    mode: Schema.optionalKey(
      Schema.Literals(["full", "draft_only"]).annotate({
        description: "draft_only reads and writes drafts and can neither approve nor send, whatever its scopes"
      })
    ),
    actor_kind: Schema.optionalKey(
      Schema.Literals(["USER", "AI_AGENT"]).annotate({ description: "Who holds the key; default the caller's kind" })
    ),
    user_id: Schema.optionalKey(line(100, "The user in whose name the key acts; default the caller's")),
    expires_at: Schema.optionalKey(
      isoDateTime.pipe(Schema.annotateEncoded({ description: "When the key ends, ISO 8601; default never" }))
    )
  }),
  output: IssuedKey,
  shownOnce: ["api_key"],
  riskNotes: ["Whoever has the key has its rights: keep it where only its program can read it."],
  relatedCommands: ["key.list", "key.rotate", "key.revoke"],
  examples: [
    {
      title: "A key for a program that reads and drafts",
      input: { name: "Drafting assistant", actor_kind: "AI_AGENT", mode: "draft_only" }
    },
    {
      title: "A key that reads events until the end of 2099",
      input: { name: "CRM sync", scopes: ["events:read"], expires_at: "2099-12-31T23:59:59Z" }
    }
  ],
  run: Effect.fnUntraced(function* ({ actor_kind, expires_at, mode, name, user_id, ...input }) {
    const actor = yield* Actor
    if (expires_at !== undefined && expires_at <= (yield* now)) {
      return yield* fail("INVALID_INPUT", "expires_at is in the past. Send an instant to come, or leave it out.")
    }
    const actorKind = actor_kind ?? actor.kind
    const wanted = actorKind === "AI_AGENT" ? scopeBundles.drafter : actor.scopes
    const given =
      input.scopes ?? wanted.filter((scope) => actor.scopes.includes("admin") || actor.scopes.includes(scope))
    const policies = { ...noPolicies, ...actor.policies, key: actor.policies?.key ?? {} }
    const refused = excess(actor, { actorKind, scopes: given, policies })
    if (refused !== undefined) return yield* refused
    const userId = user_id === undefined || user_id === "" ? actor.userId : user_id
    const issued = yield* issueKey(actor.organizationId, userId, {
      name,
      mode,
      actorKind,
      scopes: given,
      expiresAt: expires_at
    })
    const key = { ...issued.key, policies }
    yield* (yield* Workspaces).createKey(key)
    return { key: viewOf(key), api_key: issued.text }
  })
})
