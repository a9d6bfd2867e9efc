/** The JSON Schema of what a host describes with a library of Standard Schemas. */
import { SvcError } from "@svc/client"
import type { JsonSchema, StandardSchema } from "@svc/core"

/** The error for a definition that cannot be used. */
export const badDefinition = (message: string): SvcError =>
  new SvcError({
    ok: false,
    status: 400,
    error: { code: "INVALID_INPUT", message },
    meta: { approval_required: false, approval_request_id: "", command_hash: "", warnings: [] }
  })

/** A schema of a definition, and where it stands. */
interface Described {
  readonly id: string
  readonly side: "input" | "output"
  readonly schema: StandardSchema | undefined
  readonly given: JsonSchema | undefined
}

const isStandard = (schema: unknown): schema is StandardSchema =>
  (typeof schema === "object" || typeof schema === "function") && schema !== null && "~standard" in schema

/**
 * The JSON Schema of an input or output: the given one, or that of the library, if it has the extension StandardJSONSchema;
 * undefined without a schema. Throws {@link SvcError} INVALID_INPUT.
 */
export const schemaOf = ({ given, id, schema, side }: Described): JsonSchema | undefined => {
  const option = side === "input" ? "inputJsonSchema" : "outputJsonSchema"
  if (schema === undefined) return given
  if (!isStandard(schema)) {
    throw badDefinition(`${id}: its ${side} must be a Standard Schema, of zod, valibot, arktype or another library.`)
  }
  const { jsonSchema, vendor } = schema["~standard"]
  if (given === undefined && jsonSchema === undefined) {
    throw badDefinition(
      `${id}: ${vendor} gives no JSON Schema for its ${side} (StandardJSONSchema). Pass one as ${option}.`
    )
  }
  try {
    const found = given ?? jsonSchema?.[side]({ target: "draft-2020-12" })
    if (found?.["type"] === "object") return found
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\.$/, "") : String(error)
    throw badDefinition(`${id}: ${vendor} has no JSON Schema for its ${side}: ${reason}. Pass one as ${option}.`)
  }
  throw badDefinition(`${id}: the JSON Schema of its ${side} must have type "object", as every ${side} is an object.`)
}
