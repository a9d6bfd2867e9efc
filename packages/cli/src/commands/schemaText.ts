/** `svc commands schema ID` as text: a command with its schemas and failures. */
import { dataOf, objectsOf, type Reply } from "../Target.ts"

type Json = Readonly<Record<string, unknown>>

/** The failures of a command in the catalogue; undefined if the key may not read it. */
const failuresOf = (catalog: Reply, id: unknown): string | undefined => {
  const payload = Object(Object(dataOf(catalog)["resource"]).payload)
  const commands = objectsOf(payload.categories).flatMap((category) => objectsOf(Object(category).commands))
  const found: Json | undefined = commands.map(Object).find(({ command_id }) => command_id === id)
  if (found === undefined) return undefined
  const codes = objectsOf(found["failures"])
  return `Can fail with: ${codes.length === 0 ? "no code of its own" : codes.join(", ")}\nEvery command can also fail with: ${objectsOf(payload.common_failures).join(", ")}`
}

/** The text, from the schema endpoint of the command and `svc://catalog`. */
export const schemaText = (reply: Reply, catalog: Reply): string => {
  const { command_id, description, input_schema, output_schema, risk, summary, when_to_use }: Json = Object(
    dataOf(reply)["command"]
  )
  const failures = failuresOf(catalog, command_id)
  return [
    `${command_id}: ${summary}. Risk: ${risk}.`,
    `${description} ${when_to_use}`,
    ...(failures === undefined ? [] : [failures]),
    `Input: ${JSON.stringify(input_schema, undefined, 2)}`,
    `Output: ${JSON.stringify(output_schema, undefined, 2)}`
  ].join("\n\n")
}
