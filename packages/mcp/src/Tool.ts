/** A command as a tool. */
import { type AnyCommand, describeWithSchemas, type Failure, InvalidJson } from "@svc/core"
import { contentHashOf } from "@svc/core/internal"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { agentView } from "./agentView.ts"
import { metaOf, objectOf, type Params } from "./JsonRpc.ts"
import { appMeta } from "./reviewApp.ts"
import { type ResultForm, toolResult } from "./toolResult.ts"
import { toolInputSchema, toolOutputSchema } from "./toolSchema.ts"
import { type CallResult, failureResult, type RunCall, type Workspace } from "./Workspace.ts"

const textAt = (value: unknown, name: string): string => {
  const text = objectOf(value)[name]
  return typeof text === "string" ? text : ""
}

const withHash = (draft: Params): Params => ({
  ...draft,
  content_hash: contentHashOf({
    leadId: textAt(draft["lead"], "lead_id"),
    agentId: textAt(draft["agent"], "agent_id"),
    variations: (Array.isArray(draft["variations"]) ? draft["variations"] : []).map((item) => textAt(item, "body_text"))
  })
})

const isDraft = (value: unknown): value is Params => Predicate.isReadonlyObject(value) && "draft_id" in value

/** The output, with the content hash of each draft that it holds whole. */
const withContentHashes = (data: unknown): unknown => {
  if (!Predicate.isReadonlyObject(data)) return data
  const { draft, drafts } = data
  if (isDraft(draft)) return { ...data, draft: withHash(draft) }
  if (Array.isArray(drafts)) return { ...data, drafts: drafts.map((item) => (isDraft(item) ? withHash(item) : item)) }
  return data
}

const writes = new Set(["linkedin.draft.create", "linkedin.draft.update"])

/** Adds the findings of a draft that was just written. A key that may not check gets none. */
const withFindings = Effect.fnUntraced(function* (workspace: Workspace, call: RunCall, result: CallResult) {
  const isWritten = result.ok && writes.has(call.command) && call.options.dry_run !== "true"
  const data = objectOf(result.ok ? result.data : undefined)
  const draft_id = textAt(data["draft"], "draft_id")
  if (!isWritten || draft_id === "") return result
  const checked = yield* workspace.run({ command: "linkedin.draft.check", input: { draft_id }, options: {} })
  return { ...result, data: { ...data, ...(checked.ok ? objectOf(checked.data) : {}) } }
})

// Tool names: the command's id with `_` for `.`, because some clients reject dots. Ids never contain `_`, so a name maps
// back to its id.

/** The tool name of a command id: `linkedin_draft_create`. */
export const toolNameOf = (id: string): string => id.replaceAll(".", "_")

/** The command id of a tool name or dotted id. */
export const commandIdOf = (name: string): string => name.replaceAll("_", ".")

/**
 * Hints that a client may use before it calls a tool. Clients assume the worst of a missing one; of a tool that only reads,
 * two say nothing by definition and are left out.
 */
interface ToolHints {
  readonly readOnlyHint: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint: boolean
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(" "))

/** Last words of the ids of idempotent commands. */
const idempotentVerbs = wordsOf(
  "upsert update set publish delete cancel pause resume complete revoke erase merge suppress lift add remove record undo"
)

/** Last words of the ids of commands that delete or release something. */
const destructiveVerbs = wordsOf("delete cancel revoke erase merge remove undo rotate approve")

/** The hints of a tool that only reads this workspace. */
export const readOnly: ToolHints = { readOnlyHint: true, openWorldHint: false }

/** The hints of a command. */
const toolHintsOf = ({ category, effects, id, risk }: AnyCommand): ToolHints => {
  if (risk === "read") return readOnly
  const verb = id.split(".").at(-1) ?? id
  return {
    readOnlyHint: false,
    // An import of risk approval uses up searches, but destroys nothing.
    destructiveHint: (risk === "approval" && category !== "imports") || destructiveVerbs.has(verb),
    // A note that is sent twice is added twice.
    idempotentHint: idempotentVerbs.has(verb) && id !== "lead.note.add",
    openWorldHint: effects.channels.length > 0
  }
}

/** A tool as clients see it. */
export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Params
  /** Only with results as `structuredContent`, which it promises. */
  readonly outputSchema?: Params
  readonly annotations: ToolHints
  readonly _meta?: Params
}

/** A tool. `call` takes the parameters of a client. */
export interface Tool {
  readonly definition: ToolDefinition
  readonly call: (params: Params, workspace: Workspace) => Effect.Effect<Params>
}

/** The result of a call that did not reach a command. */
export const refused = (failure: Failure): Effect.Effect<Params> =>
  Effect.succeed(toolResult(failureResult(failure), { form: "text" }))

/** Makes a tool that gets the arguments of a call, and its `_meta`. Only structured results promise an output schema. */
export const makeTool = (
  definition: ToolDefinition,
  form: ResultForm,
  run: (args: Params, workspace: Workspace, meta: Params) => Effect.Effect<Params>
): Tool => {
  const { outputSchema: _, ...listed } = definition
  return {
    definition: form === "structured" ? definition : listed,
    call: (params, workspace) => {
      const { arguments: args = {} } = params
      if (Predicate.isReadonlyObject(args)) return run(args, workspace, metaOf(params))
      return refused(new InvalidJson({ message: "arguments must be a JSON object, at least {}." }))
    }
  }
}

/** Maximum length of a tool description without its warning, in characters. */
const maxDescription = 110

const commandIds = /\b[a-z]+(?:\.[a-z]+(?:-[a-z]+)*)+\b/g

const descriptionOf = (command: AnyCommand, isReachable: (id: string) => boolean): string => {
  const { riskNotes, summary, whenToUse } = command
  const namesOthers = (text: string) => (text.match(commandIds) ?? []).some((id) => !isReachable(id))
  const both = namesOthers(whenToUse) ? `${summary}.` : `${summary}. ${whenToUse}`
  const isDestructive = toolHintsOf(command).destructiveHint === true
  const warning = isDestructive ? riskNotes.slice(0, 1).filter((note) => !namesOthers(note)) : []
  return [both.length <= maxDescription ? both : `${summary}.`, ...warning].join(" ")
}

/** Longer results, in characters, come in the compact profile, unless a profile was requested. */
const maxResult = 24_000

/** Separates the options of a call from its input. The idempotency key is in `_meta`. */
export const splitOptions = (
  args: Params,
  meta: Params
): { readonly input: Params; readonly options: RunCall["options"] } => {
  const { dry_run, response_profile, ...input } = args
  const key = meta["svc/idempotency_key"]
  return {
    input,
    options: {
      response_profile: response_profile === undefined ? undefined : String(response_profile),
      dry_run: dry_run === undefined ? undefined : String(dry_run),
      idempotency_key: key === undefined ? undefined : String(key)
    }
  }
}

/** Page size of a list unless the call says otherwise. */
const defaultPage = 10

const accepts = (schema: unknown, type: string): boolean =>
  Predicate.isReadonlyObject(schema) &&
  ([schema["type"]].flat().includes(type) ||
    (Array.isArray(schema["anyOf"]) && schema["anyOf"].some((one) => accepts(one, type))))

/** The input with the page size for models, and with a single text where the command takes only a list. */
const inputForModels = (command: AnyCommand, input: Params): Params => {
  const fields = objectOf(describeWithSchemas(command).input_schema["properties"])
  const listed = Object.entries(input).map(([name, value]) => {
    const field = fields[name]
    const isListOnly = typeof value === "string" && accepts(field, "array") && !accepts(field, "string")
    return [name, isListOnly ? [value] : value]
  })
  return {
    ...(command.risk === "read" && Object.hasOwn(fields, "limit") ? { limit: defaultPage } : {}),
    ...Object.fromEntries(listed)
  }
}

const shown = (result: CallResult, profile: string | undefined): CallResult =>
  result.ok && profile !== "full" && result.meta?.approval_required !== true
    ? { ...result, data: agentView(withContentHashes(result.data)) }
    : result

/**
 * Runs a command for a model: with the page size and view for models unless `full` was asked for, and with the findings of
 * a new draft. A result too long for a conversation is shortened, with a warning.
 */
export const runForModel = Effect.fnUntraced(function* (
  workspace: Workspace,
  call: RunCall,
  command: AnyCommand | undefined
): Effect.fn.Return<CallResult> {
  const profile = call.options.response_profile
  if (profile === "full") return yield* workspace.run(call)
  const isShaped = command !== undefined && Predicate.isReadonlyObject(call.input)
  const input = isShaped ? inputForModels(command, call.input) : call.input
  const asked = { ...call, input }
  const view = shown(yield* withFindings(workspace, asked, yield* workspace.run(asked)), profile)
  const isLong = view.ok && command?.risk === "read" && JSON.stringify(view.data).length > maxResult
  if (!isLong || profile !== undefined) return view
  const options = { ...call.options, response_profile: "compact" }
  const compact = shown(yield* workspace.run({ ...asked, options }), "compact")
  if (!compact.ok || compact.meta === undefined) return compact
  const warning =
    "long_answer: shortened to the compact profile. Ask for a smaller page, or send response_profile: full."
  return { ...compact, meta: { ...compact.meta, warnings: [...compact.meta.warnings, warning] } }
})

/** The tool of a command. Its description names no command that is not `isReachable`. */
export const toolOf = (command: AnyCommand, form: ResultForm, isReachable: (id: string) => boolean): Tool => {
  const { input_schema, output_schema } = describeWithSchemas(command)
  const definition: ToolDefinition = {
    name: toolNameOf(command.id),
    title: command.title,
    description: descriptionOf(command, isReachable),
    inputSchema: toolInputSchema(input_schema, command.annotations.unlisted),
    outputSchema: toolOutputSchema(output_schema),
    annotations: toolHintsOf(command),
    ...appMeta(command.id)
  }
  return makeTool(definition, form, (args, workspace, meta) =>
    Effect.map(runForModel(workspace, { command: command.id, ...splitOptions(args, meta) }, command), (result) =>
      toolResult(result, { output: output_schema, form })
    )
  )
}
