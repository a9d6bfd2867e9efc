/** Checking values against published JSON Schemas, with an implementation that is not ours. */
import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"

const ajv = new Ajv2020({ strict: false, allErrors: false })
addFormats.default(ajv)

/** What is wrong with a value by a schema, in words; undefined when nothing is. */
export const schemaErrors = (schema: object): ((value: unknown) => string | undefined) => {
  const validate = ajv.compile(schema)
  return (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors))
}
