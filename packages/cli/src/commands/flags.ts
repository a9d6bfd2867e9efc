/** Flags that many commands share. */
import * as Flag from "effect/cli/Flag"

/** A boolean flag, off by default. */
export const toggle = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

/** `--json`. */
export const json = toggle("json", "Output JSON, including errors; --json FIELDS only these fields")

/** An optional flag with a text. */
export const optionalText = (name: string, description: string): Flag.Flag<string | undefined> =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withDefault(undefined))

/** An optional flag with a whole number. */
export const optionalInt = (name: string, description: string): Flag.Flag<number | undefined> =>
  Flag.Int(name).pipe(Flag.withDescription(description), Flag.withDefault(undefined))

/** `--types`. */
export const eventTypes = optionalText(
  "types",
  "Only these event types, comma-separated, such as lead.created,lead.replied"
)

/** `--base-url`. */
export const baseUrl = optionalText(
  "base-url",
  "URL of the service; default SVC_BASE_URL, then the owner of ./.svc, then the database itself"
)

/** `--fields`. */
export const fieldsFlag = optionalText(
  "fields",
  "Columns to show, comma-separated; use a path such as brief.tone_instructions for nested fields"
)

/** `--jsonl`. */
export const jsonl = toggle("jsonl", "Output one JSON value per line, one per list row")

/** `--jq`. */
export const jq = optionalText("jq", "Filter what --json prints with an expression of jq")

/** `--response-profile`. */
export const profile = Flag.Literals("response-profile", ["full", "compact"]).pipe(
  Flag.withDescription("compact omits long optional fields"),
  Flag.withDefault(undefined)
)

/** `--dry-run`. */
export const dryRun = toggle("dry-run", "Preview without saving")

/** `--idempotency-key`. */
export const idempotencyKey = optionalText("idempotency-key", "Retries with the same key take effect once")
