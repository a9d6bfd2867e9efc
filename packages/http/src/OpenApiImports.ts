/** The two OpenAPI operations with a file: uploading one to import, and downloading its rows. */
import { type AnyCommand, type Catalog, codesOf, jsonSchemaOf } from "@svc/core"
import {
  approvalResponses,
  content,
  dryRun,
  header,
  idempotency,
  object,
  parameter,
  profile,
  propertiesOf,
  responseHeaders,
  restCodes,
  restErrorResponses,
  restOperationId
} from "./OpenApiParts.ts"
import { rowsCommand, rowsForm, rowsPath } from "./rowsRoute.ts"
import { uploadCommand, uploadForm, uploadParameters, uploadPath, uploadTypes } from "./uploadRoute.ts"

interface FileOperation {
  readonly path: string
  readonly method: "get" | "post"
  readonly operation: Readonly<Record<string, unknown>>
}

/** Query parameters whose text differs from the field in the input schema. */
const inQuery: Readonly<Record<string, { readonly schema: unknown; readonly description: string }>> = {
  mapping: {
    schema: { type: "string", examples: ['{"Contact mail":"email"}'] },
    description: "Column names and lead fields as a JSON object; null ignores a column"
  },
  delimiter: { schema: { type: "string", enum: [",", ";", "tab", "|"] }, description: "Cell delimiter" }
}

const described = (command: AnyCommand, method: string, path: string) => ({
  operationId: restOperationId(method, path),
  tags: [command.category],
  summary: command.title,
  description: `${command.summary}\n\n${command.description}`
})

const upload = (command: AnyCommand): FileOperation => {
  const form = uploadForm(command)
  const input = propertiesOf(jsonSchemaOf(form.input))
  const query = uploadParameters.map((name) => {
    const known = inQuery[name]
    const schema = known?.schema ?? input[name] ?? { type: "string" }
    return parameter(name, schema, known?.description ?? String(Reflect.get(Object(input[name]), "description")))
  })
  const file = { schema: { type: "string", format: "binary" } }
  return {
    path: uploadPath,
    method: "post",
    operation: {
      ...described(command, "POST", uploadPath),
      parameters: [
        parameter("missionHandle", input["missionHandle"] ?? { type: "string" }, "Path parameter", true, "path"),
        ...query,
        parameter(
          "Content-Digest",
          { type: "string", examples: ["sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"] },
          "SHA-256 of the file (RFC 9530), used to recognize a file that was sent before",
          false,
          "header"
        ),
        profile,
        dryRun,
        idempotency
      ],
      requestBody: {
        required: true,
        description: "The file, at most 2 GiB",
        content: Object.fromEntries(uploadTypes.map((type) => [type, file]))
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
        },
        ...approvalResponses,
        ...restErrorResponses(restCodes(command.failures, true))
      },
      "x-svc-failures": codesOf(command.failures)
    }
  }
}

const rows = (command: AnyCommand): FileOperation => {
  const input = propertiesOf(jsonSchemaOf(rowsForm.input))
  return {
    path: rowsPath,
    method: "get",
    operation: {
      ...described(command, "GET", rowsPath),
      parameters: [
        parameter("importId", input["importId"] ?? { type: "string" }, "Path parameter", true, "path"),
        parameter("outcome", input["outcome"] ?? { type: "string" }, "Only rows with this outcome")
      ],
      responses: {
        200: {
          description: "Rows in source order",
          headers: { ...responseHeaders.always, "Content-Disposition": header("Suggested file name") },
          content: { "text/csv": { schema: { type: "string" } } }
        },
        ...restErrorResponses(restCodes(command.failures, false))
      },
      "x-svc-failures": codesOf(command.failures)
    }
  }
}

/** The operations whose commands the catalogue has. */
export const importOperations = (catalog: Catalog<AnyCommand>): ReadonlyArray<FileOperation> => {
  const known = (id: string, make: (command: AnyCommand) => FileOperation): ReadonlyArray<FileOperation> => {
    const command = catalog.find(id)
    return command === undefined ? [] : [make(command)]
  }
  return [...known(uploadCommand, upload), ...known(rowsCommand, rows)]
}
