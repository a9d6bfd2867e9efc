/** What is wrong with a refusal, as a refusal. */
import type { FailureEnvelope } from "#core/kernel/command/Envelope.ts"
import { failureTable } from "#core/kernel/failure/failureTable.ts"

const maxMessageLength = 600
const longestEcho = 100

/** Every text in a value: names of fields and values. */
const textsIn = (value: unknown, depth = 0): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null || depth > 40) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member, depth + 1)])
}

const echo = (message: string, input: unknown): string | undefined => {
  if (message.length <= longestEcho) return undefined
  const long = textsIn(input).filter((text) => text.length > longestEcho)
  for (let start = 0; start + longestEcho < message.length; start++) {
    const part = message.slice(start, start + longestEcho + 1)
    if (long.some((text) => text.includes(part))) return part
  }
  return undefined
}

/** Says what a refusal does wrong; undefined when it is a good one. */
export const refusalProblem = (input: unknown, envelope: FailureEnvelope): string | undefined => {
  const { code, message } = envelope.error
  const entry = failureTable[code]
  if (entry === undefined) return `the code ${code} is not in the table`
  if (entry.status !== envelope.status) return `${code} has status ${entry.status}, not ${envelope.status}`
  if (entry.kind === "Internal" || (entry.status >= 500 && entry.kind !== "Gateway")) return `it failed with ${code}`
  if (message.length > maxMessageLength) return `the message has ${message.length} characters`
  if (!/[.?)]$/.test(message) || message.split(" ").length < 3) return "the message is no sentence"
  if (!message.isWellFormed() || /[\p{Cc}\p{Bidi_Control}]/u.test(message)) {
    return "the message holds control characters"
  }
  const echoed = echo(message, input)
  return echoed === undefined ? undefined : `the message repeats the input: ${echoed}`
}
