import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { noPolicies } from "../../../kernel/command/Permission.ts"
import { scopeBundles, scopes } from "../../../kernel/command/Scope.ts"
import { isoDateTime, line, nonEmptyLine } from "../../../kernel/schema/TextFields.ts"
import { issueKey } from "../../organizations/Provisioning.ts"
import { Workspaces } from "../../organizations/Workspaces.ts"
import { IssuedKey, viewOf } from "../KeyView.ts"
import { expiryWithin, refuseSession, rightsRefusal } from "../keyRights.ts"
import { requireFuture } from "../requireFuture.ts"

/** `key.create`: creates a key. */
export const CreateKey = Command.make({
  id: "key.create",
  title: "Create an API key",
  summary: "Create an API key, shown only once",
  description:
    "Creates a key for the caller's organization, for the caller's user or the given one. It cannot have scopes that " +
    "the caller lacks or be valid for longer than the caller's key, an AI agent's key cannot create a person's, and only " +
    "admin can create another user's. Without scopes, a person's key gets all of the caller's, an AI agent's those for drafting.",
  whenToUse: "To give another application or person access, with no more rights than needed.",
  category: "workspace",
  risk: "mutate",
  scope: "keys:manage",
  input: Schema.Struct({
    name: nonEmptyLine(200, "Purpose of the key"),
    scopes: Schema.optionalKey(
      Schema.Array(Schema.Literals(scopes))
        .check(Schema.isMinLength(1), Schema.isMaxLength(scopes.length))
        .annotate({ description: "Scopes of the key, such as leads:read; admin includes all others" })
    ),
    mode: Schema.optionalKey(
      Schema.Literals(["full", "draft_only"]).annotate({
        description: "draft_only can read and write drafts but neither approve nor send, whatever its scopes"
      })
    ),
    actor_kind: Schema.optionalKey(
      Schema.Literals(["USER", "AI_AGENT"]).annotate({ description: "Who holds the key; default the caller's kind" })
    ),
    user_id: Schema.optionalKey(line(100, "The user the key acts for; default the caller's")),
    expires_at: Schema.optionalKey(
      isoDateTime.pipe(
        Schema.annotateEncoded({
          description: "When the key expires, ISO 8601; default when the caller's key does, and never later"
        })
      )
    )
  }),
  output: IssuedKey,
  failures: [],
  shownOnce: ["api_key"],
  riskNotes: ["Anyone with the key has its rights: store it where only the application can read it."],
  relatedCommands: ["key.list", "key.rotate", "key.revoke"],
  examples: [
    {
      title: "A key for an AI agent that reads and drafts",
      input: { name: "Drafting assistant", actor_kind: "AI_AGENT", mode: "draft_only" }
    },
    {
      title: "A key that reads events and expires in 2099",
      input: { name: "CRM sync", scopes: ["events:read"], expires_at: "2099-12-31T23:59:59Z" }
    }
  ],
  run: Effect.fnUntraced(function* ({ actor_kind, expires_at, mode, name, user_id, ...input }) {
    const actor = yield* Actor
    yield* refuseSession(actor)
    yield* requireFuture("expires_at", expires_at)
    const actorKind = actor_kind ?? actor.kind
    const wanted = actorKind === "AI_AGENT" ? scopeBundles.drafter : actor.scopes
    const given =
      input.scopes ?? wanted.filter((scope) => actor.scopes.includes("admin") || actor.scopes.includes(scope))
    const policies = { ...noPolicies, ...actor.policies, key: actor.policies?.key ?? {} }
    const userId = user_id === undefined || user_id === "" ? actor.userId : user_id
    const refused = rightsRefusal(actor, { actorKind, userId, scopes: given, policies })
    if (refused !== undefined) return yield* refused
    const issued = yield* issueKey(actor.organizationId, userId, {
      name,
      mode,
      actorKind,
      scopes: given,
      expiresAt: (yield* expiryWithin(expires_at)) ?? undefined
    })
    const key = { ...issued.key, policies }
    yield* (yield* Workspaces).createKey(key)
    return { key: viewOf(key), api_key: issued.text }
  })
})
