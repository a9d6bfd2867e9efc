/**
 * The documentation as Markdown, for programs and models that read rather than look: `/llms.txt`, every command under
 * `/docs/commands.md`, every error under `/docs/errors.md`. All of it is read off the catalogue and the failure table.
 *
 * Source: issue "Docs"; llmstxt.org for the form of the index.
 */
import { type Catalog, describe, publicCommands } from "@svc/core/Catalog"
import type { AnyCommand } from "@svc/core/Command"
import { failureTable } from "@svc/core/Failure"
import { type JsonSchema, jsonSchemaOf } from "@svc/core/JsonSchema"
import { guide } from "@svc/core/resources/guide"
import * as Predicate from "effect/Predicate"

/** The text in one cell of a table. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim()

const typeOf = (schema: unknown): string => {
  if (!Predicate.isObject(schema)) return ""
  const values: unknown = Reflect.get(schema, "enum")
  if (Array.isArray(values)) return values.map((value) => (value === null ? "null" : `\`${String(value)}\``)).join(", ")
  const type: unknown = Reflect.get(schema, "type")
  const anyOf: unknown = Reflect.get(schema, "anyOf")
  const names = Array.isArray(type) ? type.join(" or ") : String(type ?? "")
  if (names.startsWith("array")) return `${names} of ${typeOf(Reflect.get(schema, "items")) || "any"}`
  return Array.isArray(anyOf) ? anyOf.map(typeOf).join(" or ") : names
}

const fieldRows = (schema: JsonSchema): ReadonlyArray<string> => {
  const required: unknown = schema["required"]
  const needed = new Set(Array.isArray(required) ? required : [])
  return Object.entries(Object(schema["properties"])).map(([name, field]) => {
    const description: unknown = Predicate.isObject(field) ? Reflect.get(field, "description") : undefined
    return `| \`${name}\` | ${cell(typeOf(field))} | ${needed.has(name) ? "yes" : ""} | ${cell(String(description ?? ""))} |`
  })
}

const commandSection = (command: AnyCommand): string => {
  const { description, examples, output_notes, risk, risk_notes, summary, when_to_use } = describe(command)
  const fields = fieldRows(jsonSchemaOf(command.input))
  return [
    `## ${command.id}`,
    `${summary} Risk: ${risk}. Scope: \`${command.scope}\`.`,
    description,
    when_to_use,
    ...(fields.length === 0
      ? ["It takes no input."]
      : [["| field | type | required | meaning |", "|---|---|---|---|", ...fields].join("\n")]),
    ...[...risk_notes, ...output_notes].map((note) => `- ${note}`),
    ...examples.map(({ code, language, title }) => `${title}:\n\n\`\`\`${language}\n${code}\n\`\`\``)
  ].join("\n\n")
}

/** Every command with its fields and runnable examples. */
export const commandsMarkdown = (catalog: Catalog<AnyCommand>): string =>
  [
    "# Commands",
    "Each is run with `POST /api/v1/commands/{id}` and a JSON object, with `svc commands run ID --input-json JSON`, with " +
      "flags of its own as in `svc offer list --limit 5`, or as a tool of the agent protocol.",
    ...publicCommands(catalog).map(commandSection)
  ].join("\n\n")

/** Every error code with what it means and what to do. */
export const errorsMarkdown = (): string =>
  [
    "# Errors",
    "Every refusal carries one of these codes, over HTTP, on the command line, in process and for agents.",
    [
      "| code | HTTP status | exit code | try again | meaning | what to do |",
      "|---|---|---|---|---|---|",
      ...Object.entries(failureTable).map(
        ([code, { exitCode, hint, retryable, status, summary }]) =>
          `| \`${code}\` | ${status} | ${exitCode} | ${retryable ? "yes" : "no"} | ${cell(summary)} | ${cell(hint)} |`
      )
    ].join("\n")
  ].join("\n\n")

/** The index for language models: what this is, how to work with it, and where the rest is. */
export const llmsText = (catalog: Catalog<AnyCommand>, publicUrl: string): string => {
  const link = (path: string, text: string, about: string) => `- [${text}](${publicUrl}${path}): ${about}`
  return [
    "# svc",
    "> Outreach workspace: offers, leads, missions and LinkedIn drafts of many organizations. People and agents write, " +
      "review and approve messages; approved ones are sent within safe limits, never twice.",
    "Every request carries `Authorization: Bearer <API_KEY>`. A refusal has a stable code and says what to do next.",
    "## Docs",
    [
      link("/docs/commands.md", "Commands", "every command with its fields and runnable examples"),
      link("/docs/errors.md", "Errors", "every error code with status, exit code and what to do"),
      link("/api/v1/openapi.json", "OpenAPI 3.1", "every endpoint with its schemas"),
      link("/docs", "API reference", "the same for people"),
      link(
        "/mcp",
        "Agent protocol",
        "tools, resources and prompts over Streamable HTTP; `svc mcp` over standard input and output"
      )
    ].join("\n"),
    "## How to work with it",
    guide.steps
      .map(({ commands, step, text, title }) => `${step}. ${title}. ${text} (${commands.join(", ")})`)
      .join("\n"),
    guide.rules.map((rule) => `- ${rule}`).join("\n"),
    "## Commands",
    publicCommands(catalog)
      .map(({ id, risk, summary }) => `- ${id} (${risk}): ${summary}`)
      .join("\n")
  ].join("\n\n")
}
