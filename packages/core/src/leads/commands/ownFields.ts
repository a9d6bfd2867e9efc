import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Actor } from "../../kernel/command/Execution.ts"
import { InvalidInput } from "../../kernel/failure/failures.ts"
import { formatted, nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { LeadUpsertInput } from "../Lead.ts"
import { LeadFieldsRepo } from "../LeadFieldsRepo.ts"
import { folded, maxOwnFields, OwnField } from "../ownFields.ts"
import { ownFields } from "../ownValues.ts"

const [shownTags, maxStored] = [500, 250]

const optional = Schema.optionalKey

const { type: FieldType } = OwnField.fields

const labelOf = (key: string): string => `${key.charAt(0).toUpperCase()}${key.slice(1).replaceAll("_", " ")}`

/** Why a field cannot become what an input says; undefined if it can. */
const problemOf = (after: OwnField, all: ReadonlyArray<OwnField>): string | undefined => {
  const before = all.find(({ key }) => key === after.key)
  const others = all.filter((field) => field !== before)
  const lost = before?.choices.find((one) => !after.choices.some((other) => folded(one) === folded(other)))
  const taken = others.find(({ label }) => folded(label) === folded(after.label))
  if (after.type !== (before ?? after).type) return `type: ${after.key} is of type ${before?.type}. Add another field.`
  if (after.key in LeadUpsertInput.fields) return `key: ${after.key} is a field of every lead. Choose another key.`
  if ((after.type === "choice") !== after.choices.length > 0) return "choices: required for a choice, only for that."
  if (new Set(after.choices.map(folded)).size < after.choices.length) return "choices: two differ only in case."
  if (lost !== undefined) return "choices: leads may have those that are missing. Send them too."
  if (taken !== undefined) return `label: field ${taken.key} has the same one. Choose another label.`
  const isFull = !after.archived && others.filter(({ archived }) => !archived).length >= maxOwnFields
  if (isFull) return `key: the maximum is ${maxOwnFields} fields. Archive one first.`
  return others.length >= maxStored ? `key: the maximum is ${maxStored} fields, archived ones included.` : undefined
}

/** `lead.field.set`: adds or changes a field of your own. */
export const SetLeadField = Command.make({
  id: "lead.field.set",
  title: "Set a field of your own",
  summary: "Add or change a field of your own for leads",
  description:
    "Defines a field that every lead of the organization can have a value of: text, number, date, choice or boolean. " +
    "Fields you send are written, others stay. A choice may get more choices. Key and type never change.",
  whenToUse: "Before you store with lead.upsert, or import, what no field of leads is for.",
  risk: "mutate",
  scope: "leads:write",
  input: Schema.Struct({
    key: formatted(/^[a-z][a-z0-9_]{0,39}$/, 40, "lower-case letters, digits and _, such as team_size").annotate({
      description: "Key of the field, which never changes"
    }),
    label: optional(nonEmptyLine(100, "Name that people see. Made from the key by default")),
    type: optional(FieldType.annotate({ description: "Kind of value, required for a new field; it never changes" })),
    choices: optional(
      Schema.Array(nonEmptyLine(100))
        .check(Schema.isBetweenLength(1, 100))
        .annotate({ description: "Values of a choice, with all that it has" })
    ),
    archived: optional(Schema.Boolean.annotate({ description: "True keeps its values and takes no others" }))
  }),
  output: Schema.Struct({ field: OwnField }),
  failures: [],
  riskNotes: ["Changes no lead. An archived field keeps its values."],
  relatedCommands: ["lead.field.list", "lead.upsert", "lead.search"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [
    { title: "A choice", input: { key: "segment", label: "Segment", type: "choice", choices: ["Small", "Large"] } }
  ],
  run: Effect.fnUntraced(function* ({ key, ...input }) {
    const { organizationId } = yield* Actor
    const repo = yield* LeadFieldsRepo
    const { fields, filters } = yield* repo.hold(organizationId)
    const before = fields.find((field) => field.key === key)
    const { type = before?.type } = input
    if (type === undefined) {
      const message = `type: required for a new field, as there is no field ${key}. Types are ${FieldType.literals.join(", ")}.`
      return yield* new InvalidInput({ message })
    }
    const after = { key, label: labelOf(key), choices: [], archived: false, ...before, ...input, type }
    const problem = problemOf(after, fields)
    if (problem !== undefined) return yield* new InvalidInput({ message: problem })
    const others = before === undefined ? [...fields, after] : fields.map((field) => (field === before ? after : field))
    yield* repo.save(organizationId, { fields: others, filters })
    return { field: after }
  })
})

/** `lead.field.list`: lists the fields of your own, and tags. */
export const ListLeadFields = Command.make({
  id: "lead.field.list",
  title: "List fields of your own",
  summary: "List your own fields of leads, and tags in use",
  description:
    "Returns the fields that the organization defined for its leads, the oldest first, archived ones included, and the tags " +
    `of leads in lower case, at most ${shownTags}.`,
  whenToUse: "Before you write fields or tags with lead.upsert, or search by them.",
  risk: "read",
  scope: "leads:read",
  input: Schema.Struct({}),
  output: Schema.Struct({ fields: Schema.Array(OwnField), tags: Schema.Array(Schema.String) }),
  failures: [],
  relatedCommands: ["lead.field.set", "lead.upsert", "lead.search"],
  relatedResources: ["svc://prospects/{id}"],
  examples: [{ title: "All", input: {} }],
  run: Effect.fnUntraced(function* () {
    const tags = yield* (yield* LeadFieldsRepo).tags((yield* Actor).organizationId, shownTags)
    return { fields: yield* ownFields, tags }
  })
})
