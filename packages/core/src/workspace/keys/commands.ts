/** API keys: creating, rotating and revoking them, and signing in to the review page with one. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Actor, emit } from "../../kernel/command/Execution.ts"
import { noPolicies, scopeBundles, scopes } from "../../kernel/command/Permission.ts"
import { InvalidCursor, NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { Instant } from "../../kernel/schema/IdsAndTime.ts"
import { NextCursor, newestFirst, pageFields, readPage } from "../../kernel/schema/Page.ts"
import { described, isoDateTime, line, nonEmptyLine, optional } from "../../kernel/schema/TextFields.ts"
import { revokedEvents } from "../authorization/tokens.ts"
import { issueKey, lockKey, revokeLockedKey, rotateLockedKey } from "../organizations/Provisioning.ts"
import { createLink } from "../sessions/SignIn.ts"
import { Workspaces } from "../Workspaces.ts"
import { daySeconds, IssuedKey, KeyIdText, KeyView, OverlapSeconds, viewOf } from "./KeyView.ts"
import { expiryWithin, issuer, requireFuture, rightsRefusal } from "./keyRights.ts"

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
  risk: "mutate",
  scope: "keys:manage",
  effects: { does: ["governs"], channels: [] },
  input: Schema.Struct({
    key_id: optional(KeyIdText, "The key to sign in with, by its key id; default the calling key")
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
    const by = yield* issuer
    const { actor } = by
    const keyId = key_id ?? actor.keyId
    if (keyId === null) {
      return yield* new WrongState({ message: "You call without a key. Send the key_id of the key to sign in with." })
    }
    const parent = yield* lockKey(actor.organizationId, keyId)
    const refused = rightsRefusal(actor, { policies: noPolicies, ...parent })
    if (refused !== undefined) return yield* refused
    yield* expiryWithin(by, parent.expiresAt)
    const { key, path } = yield* createLink(parent)
    return { path, key_id: key.keyId, expires_at: key.expiresAt ?? "" }
  })
})

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
  risk: "mutate",
  scope: "keys:manage",
  input: Schema.Struct({
    name: nonEmptyLine(200, "Purpose of the key"),
    scopes: optional(
      Schema.Array(Schema.Literals(scopes)).check(Schema.isMinLength(1), Schema.isMaxLength(scopes.length)),
      "Scopes of the key, such as leads:read; admin includes all others"
    ),
    mode: optional(
      Schema.Literals(["full", "draft_only"]),
      "draft_only can read and write drafts but neither approve nor send, whatever its scopes"
    ),
    actor_kind: optional(Schema.Literals(["USER", "AI_AGENT"]), "Who holds the key; default the caller's kind"),
    user_id: Schema.optionalKey(line(100, "The user the key acts for; default the caller's")),
    expires_at: Schema.optionalKey(
      described(isoDateTime, "When the key expires, ISO 8601; default when the caller's key does, and never later")
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
    const by = yield* issuer
    const { actor } = by
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
      expiresAt: (yield* expiryWithin(by, expires_at)) ?? undefined
    })
    const key = { ...issued.key, policies }
    yield* (yield* Workspaces).createKey(key)
    return { key: viewOf(key), api_key: issued.text }
  })
})

/** `key.list`: the keys of the organization. */
const ListKeys = Command.make({
  id: "key.list",
  title: "List API keys",
  summary: "List API keys, newest first",
  description:
    "Returns name, owner, mode, scopes, expiry, revocation and last use of every key, of every session of the review " +
    "page, and of every AI agent that a person signed in. Secrets are never shown again after creation.",
  whenToUse: "To see which keys exist, which are unused, and which to rotate or revoke.",
  risk: "read",
  scope: "keys:manage",
  input: Schema.Struct({ ...pageFields }),
  output: Schema.Struct({
    keys: Schema.Array(
      Schema.Struct({
        ...KeyView.fields,
        is_current: Schema.Boolean.annotate({ description: "True for the key or session of this call" })
      })
    ),
    next_cursor: NextCursor
  }),
  failures: [InvalidCursor],
  relatedCommands: ["key.create", "key.rotate", "key.revoke"],
  examples: [{ title: "The newest ten", input: { limit: 10 } }],
  run: Effect.fnUntraced(function* (input) {
    const workspaces = yield* Workspaces
    const { keyId } = yield* Actor
    // An organization has few keys, so all of them are read.
    const page = yield* readPage("keys", input, (organizationId, request) =>
      Effect.map(workspaces.listKeys(organizationId), (keys) =>
        newestFirst(
          keys.map((key) => ({ ...key, id: key.keyId })),
          request
        )
      )
    )
    const keys = page.items.map((key) => ({ ...viewOf(key), is_current: key.keyId === keyId }))
    return { keys, next_cursor: page.next_cursor }
  })
})

/** `key.revoke`: revokes a key. */
const RevokeKey = Command.make({
  id: "key.revoke",
  title: "Revoke an API key",
  summary: "Revoke an API key immediately",
  description:
    "Every replica refuses the key, its sessions and the AI agents it signed in within a second. Revoking it again changes nothing. The calling key can revoke " +
    "itself; a key with more rights, or another user's, takes the scope admin.",
  whenToUse: "When a key is no longer needed, or may have leaked.",
  risk: "mutate",
  scope: "keys:manage",
  input: Schema.Struct({ key_id: KeyIdText }),
  output: Schema.Struct({ key: KeyView }),
  failures: [NotFound],
  riskNotes: ["Applications that use the key stop working immediately."],
  relatedCommands: ["key.list", "key.create"],
  examples: [{ title: "Revoke a key", input: { key_id: "samplerevoke" } }],
  run: Effect.fnUntraced(function* ({ key_id }) {
    const actor = yield* Actor
    const key = yield* lockKey(actor.organizationId, key_id)
    const refused = key_id === actor.keyId ? undefined : rightsRefusal(actor, { policies: noPolicies, ...key })
    if (refused !== undefined) return yield* refused
    yield* Effect.forEach(revokedEvents(key, "revoked"), emit)
    return { key: viewOf(yield* revokeLockedKey(key)) }
  })
})

/** `key.rotate`: replaces a key's secret. */
const RotateKey = Command.make({
  id: "key.rotate",
  title: "Rotate an API key",
  summary: "Replace an API key's secret",
  description:
    "Creates a new secret for a key, which keeps its id, name and scopes. The old secret stays valid for " +
    "overlap_seconds, so that applications can switch without a gap. A key with more rights than the caller's, " +
    "or valid for longer, cannot be rotated.",
  whenToUse: "Regularly, and when a secret may have leaked; to block a key immediately, use key.revoke.",
  risk: "mutate",
  scope: "keys:manage",
  input: Schema.Struct({ key_id: KeyIdText, overlap_seconds: OverlapSeconds }),
  output: IssuedKey,
  failures: [NotFound, WrongState],
  shownOnce: ["api_key"],
  riskNotes: ["Applications that still use the old secret are refused after the overlap."],
  relatedCommands: ["key.list", "key.revoke"],
  examples: [{ title: "With an overlap of one hour", input: { key_id: "samplerotate", overlap_seconds: 3600 } }],
  run: Effect.fnUntraced(function* ({ key_id, overlap_seconds = daySeconds }) {
    const by = yield* issuer
    const { actor } = by
    const key = yield* lockKey(actor.organizationId, key_id)
    const refused = rightsRefusal(actor, { policies: noPolicies, ...key })
    if (refused !== undefined) return yield* refused
    yield* expiryWithin(by, key.expiresAt)
    const { event, issued } = yield* rotateLockedKey(key, overlap_seconds)
    yield* emit(event)
    return { key: viewOf(issued.key), api_key: issued.text }
  })
})

/** The commands of this domain. */
export const commands = [ListKeys, CreateKey, RotateKey, RevokeKey, CreateSessionLink] as const
