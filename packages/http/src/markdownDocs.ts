/**
 * The documentation as Markdown, for programs and language models: `/llms.txt`, `/docs/commands.md`, `/docs/errors.md`.
 * Generated from the catalogue and the failure table.
 */
import * as Core from "@svc/core"
import { codesOf, describe } from "@svc/core/internal"
import { guide } from "@svc/core/resources"

/** The text in one cell of a table. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim()

const typeOf = ({ anyOf, enum: values, items, type = [] }: Core.JsonSchema): string => {
  if (Array.isArray(values)) return values.map((value) => (value === null ? "null" : `\`${value}\``)).join(", ")
  const names = [type].flat().join(" or ")
  if (names.startsWith("array")) return `${names} of ${typeOf(Object(items)) || "any"}`
  return Array.isArray(anyOf) ? anyOf.map(typeOf).join(" or ") : names
}

const fieldRows = ({ properties, required }: Core.JsonSchema): ReadonlyArray<string> =>
  Object.entries<Core.JsonSchema>(Object(properties)).map(([name, field]) => {
    const isRequired = Array.isArray(required) && required.includes(name)
    return `| \`${name}\` | ${cell(typeOf(field))} | ${isRequired ? "yes" : ""} | ${cell(String(field["description"] ?? ""))} |`
  })

const codeList = (failures: Core.AnyCommand["failures"]): string =>
  codesOf(failures)
    .map((code) => `\`${code}\``)
    .join(", ")

const commandSection = (command: Core.AnyCommand): string => {
  const { description, examples, output_notes, risk, risk_notes, summary, when_to_use } = describe(command)
  const fields = fieldRows(Core.jsonSchemaOf(command.input))
  return [
    `## ${command.id}`,
    `${summary}. Risk: ${risk}. Scope: \`${command.scope}\`.`,
    description,
    when_to_use,
    ...(fields.length === 0
      ? ["No input."]
      : [["| field | type | required | meaning |", "|---|---|---|---|", ...fields].join("\n")]),
    ...(command.failures.length === 0 ? [] : [`Can fail with ${codeList(command.failures)}.`]),
    ...[...risk_notes, ...output_notes].map((note) => `- ${note}`),
    ...examples.map(({ code, language, title }) => `${title}:\n\n\`\`\`${language}\n${code}\n\`\`\``)
  ].join("\n\n")
}

/** Every command with its fields and runnable examples. */
export const commandsMarkdown = (catalog: Core.Catalog<Core.AnyCommand>): string =>
  [
    "# Commands",
    "Run a command with `POST /api/v1/commands/{id}` and a JSON object, with `svc commands run ID --input-json " +
      "JSON`, with its own flags as in `svc offer list --limit 5`, or as an MCP tool.",
    `Every command can also fail with ${codeList(Core.commonFailures)}.`,
    ...Core.publicCommands(catalog).map(commandSection)
  ].join("\n\n")

/** Every error code, its meaning and what to do. */
export const errorsMarkdown = (): string =>
  [
    "# Errors",
    "Every error has one of these codes: over HTTP, on the command line, in process and over MCP.",
    [
      "| code | HTTP status | exit code | retry | meaning | what to do |",
      "|---|---|---|---|---|---|",
      ...Object.entries(Core.failureTable).map(
        ([code, { exitCode, hint, retryable, status, summary }]) =>
          `| \`${code}\` | ${status} | ${exitCode} | ${retryable ? "yes" : "no"} | ${cell(summary)} | ${cell(hint)} |`
      )
    ].join("\n")
  ].join("\n\n")

/** The entry point for language models. */
export const llmsText = (catalog: Core.Catalog<Core.AnyCommand>, publicUrl: string): string => {
  const link = (path: string, text: string, about: string) => `- [${text}](${publicUrl}${path}): ${about}`
  return [
    "# svc",
    "> Outreach workspace: offers, leads, missions and LinkedIn drafts of many organizations. People and AI agents " +
      "write, review and approve messages; approved ones are sent within safe limits, never twice.",
    "Send `Authorization: Bearer <API_KEY>` with every request. Every error has a stable code and says what to do " +
      "next.",
    "## Docs",
    [
      link("/docs/commands.md", "Commands", "every command with its fields and runnable examples"),
      link("/docs/errors.md", "Errors", "every error code with HTTP status, exit code and what to do"),
      link("/api/v1/openapi.json", "OpenAPI 3.1", "every endpoint with its schemas"),
      link("/docs", "API reference", "the same for people"),
      link(
        "/mcp",
        "MCP",
        "tools, resources and prompts over Streamable HTTP, with a key or by signing in (OAuth 2.1); `svc mcp` over standard " +
          "input and output"
      )
    ].join("\n"),
    "## Workflow",
    guide.steps
      .map(({ commands, step, text, title }) => `${step}. ${title}. ${text} (${commands.join(", ")})`)
      .join("\n"),
    guide.rules.map((rule) => `- ${rule}`).join("\n"),
    "## Commands",
    Core.publicCommands(catalog)
      .map(({ id, risk, summary }) => `- ${id} (${risk}): ${summary}`)
      .join("\n")
  ].join("\n\n")
}
