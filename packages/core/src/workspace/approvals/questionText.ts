/** What a person reads before they decide in a client. */
import type { ApprovalRow } from "./ApprovalRow.ts"

/** Longest text of a form, in characters. A request that holds more is read in the review page. */
const maxForm = 6_000

/** A value with every further line marked, so that no text can pass for a field of the request. */
const shown = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2)
  return /[\n\r\u0085\u2028\u2029]/.test(text) ? text.replace(/^|\r\n|[\n\r\u0085\u2028\u2029]/g, "\n> ") : text
}

/** Everything that the decision is about; undefined if it is too long for a form. */
export const formText = ({ commandId, input }: ApprovalRow, title: string): string | undefined => {
  const fields = Object.entries(input ?? {}).map(([name, value]) => `${name}: ${shown(value)}`)
  const text = [
    `${title} (${commandId})? Accept approves exactly this and runs it in your name; decline rejects it.`,
    "",
    ...fields
  ].join("\n")
  return text.length > maxForm ? undefined : text
}

/** What to open the link for. */
export const linkText = (title: string): string =>
  `${title}: a person has to approve it. Open the review page to read it and decide.`
