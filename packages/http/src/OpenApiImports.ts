/** The two OpenAPI operations with a file: uploading one to import, and downloading its rows. */
import { type AnyCommand, type Catalog, jsonSchemaOf } from "@svc/core"
import {
  changeOptions,
  content,
  header,
  headerParameter,
  object,
  parameter,
  pathParameters,
  propertiesOf,
  responseHeaders,
  restOperationOf,
  string
} from "./OpenApiParts.ts"
import { rowsCommand, rowsForm, rowsPath } from "./rowsRoute.ts"
import { uploadCommand, uploadForm, uploadParameters, uploadPath, uploadTypes } from "./uploadRoute.ts"

/** Query parameters whose text differs from the field in the input schema. */
const inQuery: Readonly<Record<string, { readonly schema: unknown; readonly description: string }>> = {
  mapping: {
    schema: { ...string, examples: ['{"Contact mail":"email"}'] },
    description: "Column names and lead fields as a JSON object; null ignores a column"
  },
  delimiter: { schema: { ...string, enum: [",", ";", "tab", "|"] }, description: "Cell delimiter" }
}

const upload = (command: AnyCommand) => {
  const form = uploadForm(command)
  const input = propertiesOf(jsonSchemaOf(form.input))
  const query = uploadParameters.map((name) => {
    const { description, schema } = inQuery[name] ?? { schema: input[name], ...Object(input[name]) }
    return parameter(name, schema, description)
  })
  return restOperationOf(command, "POST", uploadPath, command.failures, {
    parameters: [
      ...pathParameters(uploadPath, input),
      ...query,
      headerParameter(
        "Content-Digest",
        "SHA-256 of the file (RFC 9530), used to recognize a file that was sent before",
        { ...string, examples: ["sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"] }
      ),
      ...changeOptions
    ],
    requestBody: {
      required: true,
      description: "The file, at most 2 GiB",
      content: Object.fromEntries(uploadTypes.map((type) => [type, { schema: { ...string, format: "binary" } }]))
    },
    responses: {
      200: {
        description: "Result of the rows; an import that stopped early gives the reason in message",
        headers: {
          ...responseHeaders.always,
          ...responseHeaders.replayed,
          "Svc-Import-Id": header("Id of the import"),
          "Svc-Dry-Run": responseHeaders.written["Svc-Dry-Run"]
        },
        content: content(object({ data: jsonSchemaOf(form.output) }))
      }
    }
  })
}

const rows = (command: AnyCommand) => {
  const input = propertiesOf(jsonSchemaOf(rowsForm.input))
  return restOperationOf(command, "GET", rowsPath, command.failures, {
    parameters: [
      ...pathParameters(rowsPath, input),
      parameter("outcome", input["outcome"], "Only rows with this outcome")
    ],
    responses: {
      200: {
        description: "Rows in source order",
        headers: { ...responseHeaders.always, "Content-Disposition": header("Suggested file name") },
        content: { "text/csv": { schema: string } }
      }
    }
  })
}

/** The operations whose commands the catalogue has, by method. */
export const importOperations = (catalog: Catalog<AnyCommand>) => {
  const [importing, listing] = [uploadCommand, rowsCommand].map((id) => catalog.find(id))
  return [
    ...(importing === undefined ? [] : [{ path: uploadPath, method: "post", operation: upload(importing) }]),
    ...(listing === undefined ? [] : [{ path: rowsPath, method: "get", operation: rows(listing) }])
  ]
}
