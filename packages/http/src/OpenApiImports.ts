/** The two operations of the OpenAPI document that carry a file: sending one to import, and its rows to download. */
import type { Catalog } from "@svc/core/Catalog"
import type { AnyCommand } from "@svc/core/Command"
import { jsonSchemaOf } from "@svc/core/JsonSchema"
import {
  answerHeaders,
  anywhere,
  content,
  dryRun,
  idempotency,
  object,
  operationId,
  parameter,
  profile,
  propertiesOf,
  ref,
  refusals
} from "./OpenApiParts.ts"
import { rowsCommand, rowsPath } from "./rowsRoute.ts"
import { uploadCommand, uploadParameters, uploadPath, uploadTypes } from "./uploadRoute.ts"

interface FileOperation {
  readonly path: string
  readonly method: "get" | "post"
  readonly operation: Readonly<Record<string, unknown>>
}

const header = (description: string) => ({ description, schema: { type: "string" } })

/** What the texts of the query hold, where that is not what the input's schema says. */
const inQuery: Readonly<Record<string, { readonly schema: unknown; readonly description: string }>> = {
  mapping: {
    schema: { type: "string", examples: ['{"Contact mail":"email"}'] },
    description: "Columns by name and the lead field that each holds, or null to leave it out, as a JSON object"
  },
  delimiter: { schema: { type: "string", enum: [",", ";", "tab", "|"] }, description: "What separates cells" }
}

const described = (command: AnyCommand) => ({
  operationId: operationId(command.id),
  tags: [command.category],
  summary: command.title,
  description: `${command.summary}\n\n${command.description}`
})

const upload = (command: AnyCommand): FileOperation => {
  const input = propertiesOf(jsonSchemaOf(command.input))
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
      ...described(command),
      parameters: [
        parameter("missionHandle", input["missionHandle"] ?? { type: "string" }, "Part of the path", true, "path"),
        ...query,
        parameter(
          "Content-Digest",
          { type: "string", examples: ["sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"] },
          "SHA-256 of the file (RFC 9530), by which a file is recognised that was sent before",
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
          description: "What became of the rows; an import that stopped early says why in message",
          headers: {
            ...answerHeaders.always,
            "Svc-Import-Id": header("Id of the import"),
            "Svc-Dry-Run": answerHeaders.written["Svc-Dry-Run"]
          },
          content: content(object({ data: jsonSchemaOf(command.output) }))
        },
        ...refusals([400, 401, 403, 404, 409], ref("Error")),
        ...anywhere
      }
    }
  }
}

const rows = (command: AnyCommand): FileOperation => {
  const input = propertiesOf(jsonSchemaOf(command.input))
  return {
    path: rowsPath,
    method: "get",
    operation: {
      ...described(command),
      parameters: [
        parameter("importId", input["importId"] ?? { type: "string" }, "Part of the path", true, "path"),
        parameter("outcome", input["outcome"] ?? { type: "string" }, "Only rows that ended so")
      ],
      responses: {
        200: {
          description: "The rows in the order of their source",
          headers: { ...answerHeaders.always, "Content-Disposition": header("Names the file") },
          content: { "text/csv": { schema: { type: "string" } } }
        },
        ...refusals([400, 401, 403, 404], ref("Error")),
        ...anywhere
      }
    }
  }
}

/** The operations, as far as the catalogue has their commands. */
export const importOperations = (catalog: Catalog<AnyCommand>): ReadonlyArray<FileOperation> => {
  const known = (id: string, make: (command: AnyCommand) => FileOperation): ReadonlyArray<FileOperation> => {
    const command = catalog.find(id)
    return command === undefined ? [] : [make(command)]
  }
  return [...known(uploadCommand, upload), ...known(rowsCommand, rows)]
}
