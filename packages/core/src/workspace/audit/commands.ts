/** The event feed and the audit log. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Actor } from "../../kernel/command/Execution.ts"
import { InvalidCursor, InvalidInput } from "../../kernel/failure/failures.ts"
import { type EventType, eventTypes } from "../../kernel/journal/Event.ts"
import { Instant } from "../../kernel/schema/IdsAndTime.ts"
import { nearestName } from "../../kernel/schema/nearestName.ts"
import { Limit, NextCursor, pageFields, readPage } from "../../kernel/schema/Page.ts"
import { snakeFields } from "../../kernel/schema/snakeCase.ts"
import { described, isoDateTime, line, optional } from "../../kernel/schema/TextFields.ts"
import { quote } from "../../kernel/schema/TextRules.ts"
import { EventEnvelope, envelopeOf } from "../events/EventFeed.ts"
import { KeyIdText } from "../keys/KeyView.ts"
import { Workspaces } from "../Workspaces.ts"
import { type AuditRecord, headText } from "./AuditRecord.ts"

const isType = (name: string): name is EventType => eventTypes.some((type) => type === name)

/** Parses types separated by commas. Fails with INVALID_INPUT, suggesting the nearest known one. */
const readTypes = (list: string): Effect.Effect<ReadonlyArray<EventType>, InvalidInput> => {
  const names = list.split(",").map((name) => name.trim())
  const unknown = names.find((name) => !isType(name))
  if (unknown === undefined) return Effect.succeed([...new Set(names.filter(isType))])
  const nearest = nearestName(unknown, eventTypes)
  const hint =
    nearest === undefined ? `Known types: ${eventTypes.slice(0, 6).join(", ")} and others.` : `Did you mean ${nearest}?`
  return Effect.fail(new InvalidInput({ message: `types: unknown event type ${quote(unknown, 40)}. ${hint}` }))
}

/** `event.list`: reads the event feed. */
const ListEvents = Command.make({
  id: "event.list",
  title: "Read the event feed",
  summary: "List the events of the organization, oldest first",
  description:
    "Returns the events after the sequence number in after, or from the beginning without it. Pass next as after to " +
    "continue: no event is missed or repeated. An empty page means that nothing newer has happened yet. Fails with " +
    "INVALID_CURSOR where events after that number were deleted because of their age.",
  whenToUse: "To keep another system in step with this one, or to catch up after a webhook was missed.",
  risk: "read",
  scope: "events:read",
  input: Schema.Struct({
    after: optional(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1e15 })),
      "Sequence number of the last event already read; omit or send 0 for the beginning"
    ),
    types: optional(
      Schema.String.check(Schema.isBetweenLength(1, 2000)),
      "Only these types, separated by commas, such as lead.created,lead.replied"
    ),
    limit: Limit
  }),
  output: Schema.Struct({
    events: Schema.Array(EventEnvelope),
    next: Schema.Int.annotate({ description: "Pass as after for the next page" })
  }),
  failures: [InvalidCursor],
  relatedCommands: ["webhook.create"],
  relatedResources: ["svc://events/recent"],
  examples: [
    { title: "From the beginning", input: { limit: 10 } },
    { title: "New leads and replies", input: { after: 3, types: "lead.created,lead.replied" } }
  ],
  run: Effect.fnUntraced(function* ({ after = 0, limit, types }) {
    const { organizationId } = yield* Actor
    const wanted = types === undefined ? undefined : yield* readTypes(types)
    const page = yield* (yield* Workspaces).events.read(organizationId, { after, types: wanted, limit })
    if (after > 0 && after < page.oldest - 1) {
      return yield* new InvalidCursor({
        message:
          `Events ${after + 1} to ${page.oldest - 1} were deleted, since the service does not keep events that old. Read what ` +
          `you need with other commands, then continue with after ${page.oldest - 1}.`
      })
    }
    return { events: page.events.map(envelopeOf), next: page.next }
  })
})

const text = Schema.String

/** Maximum rows sealed for one reader; the rest is left to the next. */
const maxSealedForReader = 2_000

/** A person, an AI agent, or an operator, who manages organizations and keys from outside them. */
const AuditActorKind = Schema.Literals(["USER", "AI_AGENT", "OPERATOR"])

/** One audit row. */
const AuditEntryView = Schema.Struct({
  id: text,
  sequence: Schema.NullOr(Schema.Int).annotate({ description: "Position in the organization's chain, starting at 1" }),
  created_at: Instant,
  actor: Schema.Struct({ kind: AuditActorKind, user_id: text, key_id: Schema.NullOr(text) }),
  command_id: text.annotate({ description: "The command that ran, on whatever surface" }),
  command_hash: text.annotate({ description: "Hash of organization, command and input, as in meta.command_hash" }),
  subject: Schema.NullOr(Schema.Struct({ type: text, id: text })).annotate({ description: "The first object changed" }),
  outcome: text.annotate({ description: "ok, approval_required, or the error code" }),
  hash: Schema.NullOr(text).annotate({ description: "SHA-256 of the previous row's hash and this row" })
})

/** The view of an audit row. */
const auditEntryOf = (record: AuditRecord): typeof AuditEntryView.Type => ({
  ...snakeFields(record, ["id", "sequence", "createdAt", "commandId", "commandHash", "subject", "outcome", "hash"]),
  actor: { kind: record.actorKind, user_id: record.userId, key_id: record.keyId }
})

/** `audit.head`: the end of the audit chain, to be kept elsewhere. */
const GetAuditHead = Command.make({
  id: "audit.head",
  title: "Get the head of the audit chain",
  summary: "Get the head of the audit chain, to keep elsewhere",
  description:
    "Returns the number and hash of the last sealed audit row. Somebody who can write to the database could cut the chain back " +
    "to an earlier end; svc audit verify --expect HEAD finds that, if the head was kept outside of the database.",
  whenToUse: "Regularly, to keep proof of the audit rows where the database's administrators cannot change it.",
  risk: "read",
  scope: "audit:read",
  input: Schema.Struct({}),
  output: Schema.Struct({
    head: Schema.String.annotate({ description: "ORGANIZATION:SEQUENCE:HASH, for svc audit verify --expect" }),
    sequence: Schema.Int.annotate({ description: "Number of the last sealed row; 0 if there is none" }),
    hash: Schema.String.annotate({ description: "Its hash; empty if there is none" })
  }),
  failures: [],
  outputNotes: ["Events of the type audit.head carry the same, once for every thousand rows."],
  relatedCommands: ["audit.list"],
  examples: [{ title: "The head", input: {} }],
  run: Effect.fnUntraced(function* () {
    const { organizationId } = yield* Actor
    const log = (yield* Workspaces).audit
    yield* log.seal(organizationId, maxSealedForReader)
    const head = yield* log.head(organizationId)
    return { head: headText(organizationId, head), sequence: head.sequence, hash: head.hash }
  })
})

/** The filters of a list of audit rows. */
const auditFilters = {
  command_id: Schema.optionalKey(line(100, "Only runs of this command. For example lead.erase")),
  key_id: optional(KeyIdText, "Only runs with this key: the 12 characters in the middle of the key"),
  actor_kind: optional(AuditActorKind, "Only runs by people, by AI agents, or by operators"),
  outcome: Schema.optionalKey(line(64, "Only runs with this outcome: ok, approval_required or an error code")),
  after: Schema.optionalKey(described(isoDateTime, "Only rows written after this time, ISO 8601")),
  before: Schema.optionalKey(described(isoDateTime, "Only rows written before this time, ISO 8601")),
  ...pageFields
}

/** `audit.list`: who did what, newest first. */
const ListAudit = Command.make({
  id: "audit.list",
  title: "List audit rows",
  summary: "List audited runs and their outcome, newest first",
  description:
    "Every run of a command that changes something leaves a row: actor, key, command, hash of the input, subject and " +
    "outcome, including runs refused for scope, state or provider reasons. So do operators' actions on keys. Rows " +
    "are numbered and chained by hashes a moment after they are written, so svc audit verify can prove that none was " +
    "changed or removed.",
  whenToUse: "To see who did something, or what a key was used for.",
  risk: "read",
  scope: "audit:read",
  input: Schema.Struct(auditFilters),
  output: Schema.Struct({ entries: Schema.Array(AuditEntryView), next_cursor: NextCursor }),
  failures: [InvalidCursor],
  outputNotes: [
    "sequence and hash are null until the row is sealed.",
    "A page looks at 50,000 rows at most, so it may hold fewer rows than limit, or none, before the last page."
  ],
  relatedCommands: ["audit.head", "key.list", "approval.list"],
  examples: [
    { title: "The latest ten", input: { limit: 10 } },
    { title: "What one key was used for", input: { key_id: "aaaaaaaaaaaa" } },
    { title: "What AI agents did with drafts", input: { actor_kind: "AI_AGENT", command_id: "linkedin.draft.create" } }
  ],
  run: Effect.fnUntraced(function* (input) {
    const log = (yield* Workspaces).audit
    const { actor_kind: actorKind, after, before, command_id: commandId, key_id: keyId, outcome } = input
    const filter = { commandId, keyId, actorKind, outcome, after, before }
    const page = yield* readPage("audit", input, (organizationId, request) =>
      Effect.gen(function* () {
        const read = log.list(organizationId, filter, request)
        const first = yield* read
        if (first.items.every(({ hash }) => hash !== null)) return first
        yield* log.seal(organizationId, maxSealedForReader)
        return yield* read
      })
    )
    return { entries: page.items.map(auditEntryOf), next_cursor: page.next_cursor }
  })
})

/** The commands of this domain. */
export const commands = [ListEvents, ListAudit, GetAuditHead] as const
