import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { AuditLog, maxSealedForReader } from "../AuditLog.ts"
import { headText } from "../AuditRecord.ts"

/** `audit.head`: the end of the audit chain, to be kept elsewhere. */
export const GetAuditHead = Command.make({
  id: "audit.head",
  title: "Get the head of the audit chain",
  summary: "Get the head of the audit chain, to keep elsewhere",
  description:
    "Returns the number and hash of the last sealed audit row. Somebody who can write to the database could cut the chain back " +
    "to an earlier end; svc audit verify --expect HEAD finds that, if the head was kept outside of the database.",
  whenToUse: "Regularly, to keep proof of the audit rows where the database's administrators cannot change it.",
  category: "workspace",
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
    const log = yield* AuditLog
    yield* log.seal(organizationId, maxSealedForReader)
    const head = yield* log.head(organizationId)
    return { head: headText(organizationId, head), sequence: head.sequence, hash: head.hash }
  })
})
