/**
 * Reading a LinkedIn message as its reader and a sceptical colleague would, before anybody approves it.
 *
 * Deterministic and without any call. Lengths count UTF-16 units, as LinkedIn does.
 */

import { excerpt, type Finding, type FindingSeverity } from "../../../kernel/schema/Finding.ts"
import { findPlaceholders } from "../../../kernel/schema/Placeholder.ts"
import type { LeadId } from "../../../kernel/schema/RecordIds.ts"
import { maxMessageLength, recommendedLength } from "../DraftInput.ts"
import { claimsOf, numbersOf } from "./claims.ts"
import { greetedName, isNameOf } from "./greetedName.ts"
import { languageOf, otherLanguage } from "./languageVote.ts"
import { type AddressedText, templateOf } from "./repeatedBody.ts"

/** What is known beside the text. What is undefined is not known, and not checked. */
export interface MessageContext {
  readonly lead: { readonly name: string; readonly company: string; readonly wasWritten: boolean } | undefined
  /** Language tag of the mission. */
  readonly language: string | undefined
  /** Texts that a figure may rest on: offer, brief, what is known of the lead. Undefined without a mission. */
  readonly support: { readonly texts: ReadonlyArray<string>; readonly hasOffer: boolean } | undefined
  /** Texts to other leads, each with whose it is. */
  readonly others: ReadonlyArray<AddressedText & { readonly leadId: LeadId }>
}

type Rule = (text: string, context: MessageContext) => ReadonlyArray<Omit<Finding, "path">>

const found = (severity: FindingSeverity, code: string, message: string) => ({ severity, code, message })

const shownClaims = 5

const length: Rule = (text) => {
  const units = text.length
  if (text.trim() === "") return [found("error", "empty", "The text is empty. Write one.")]
  if (units > maxMessageLength) {
    const message = `${units} characters; LinkedIn allows at most ${maxMessageLength}. Shorten it.`
    return [found("error", "too_long", message)]
  }
  if (units <= recommendedLength) return []
  const message =
    `${units} characters; LinkedIn may refuse more than ${recommendedLength}, and few people read that much. Shorten ` +
    "it."
  return [found("warning", "long", message)]
}

const placeholders: Rule = (text) =>
  findPlaceholders(text).map((mark) =>
    found("error", "placeholder", `The placeholder ${excerpt(mark)} is still there. Replace it.`)
  )

const name: Rule = (text, { lead }) => {
  const greeted = greetedName(text)
  if (lead === undefined || greeted === undefined || isNameOf(greeted, [lead.name])) return []
  const message = `It greets ${excerpt(greeted)}, but the lead is ${excerpt(lead.name)}. Correct the name or the lead.`
  return [found("error", "wrong_name", message)]
}

const language: Rule = (text, context) => {
  const other = context.language === undefined ? undefined : otherLanguage(text, context.language)
  if (other === undefined || context.language === undefined) return []
  const message =
    `It seems to be in ${other.name}, but the mission's language is ${languageOf(context.language)}. Translate it, ` +
    "or correct the mission's language."
  return [found("warning", "language_mismatch", message)]
}

const address = /(?:https?:\/\/|www\.)[^\s]{1,2048}/giu

const links: Rule = (text, { lead }) => {
  const count = text.match(address)?.length ?? 0
  if (count > 1) {
    const message = `It has ${count} links. More than one looks like advertising; keep the most important.`
    return [found("warning", "many_links", message)]
  }
  return count === 1 && lead?.wasWritten === false
    ? [
        found(
          "info",
          "link_in_first_message",
          "First messages with a link get fewer replies. Offer to send it instead."
        )
      ]
    : []
}

const repeated: Rule = (text, { lead, others }) => {
  const template = templateOf({ text, name: lead?.name ?? "", company: lead?.company ?? "" })
  if (template === undefined) return []
  const same = new Set(others.filter((other) => templateOf(other) === template).map(({ leadId }) => leadId))
  if (same.size === 0) return []
  const whom = same.size === 1 ? "one other lead" : `${same.size} other leads`
  const message = `Same message as for ${whom}, apart from the name. Say something about this person.`
  return [found("warning", "repeated_body", message)]
}

const claims: Rule = (text, { support }) => {
  if (support === undefined) return []
  const known = new Set(support.texts.flatMap((part) => [...numbersOf(part)]))
  const open = claimsOf(text).filter(({ value }) => !known.has(value))
  return [...new Map(open.map((claim) => [claim.text.toLowerCase(), claim])).values()]
    .slice(0, shownClaims)
    .map(({ kind, text: figure }) =>
      found(
        kind === "number" ? "info" : "warning",
        "unsupported_claim",
        support.hasOffer
          ? `${excerpt(figure)} isn't supported by the offer or the lead's profile. Add the proof to the offer, or remove ` +
              "the figure."
          : `${excerpt(figure)} isn't supported, as the mission has no offer. Link an offer, or remove the figure.`
      )
    )
}

const rules: ReadonlyArray<Rule> = [length, placeholders, name, language, links, repeated, claims]

/** The findings of one text, in the order of the rules; `path` says which text. */
export const checkMessage = (path: string, text: string, context: MessageContext): ReadonlyArray<Finding> =>
  rules.flatMap((rule) => rule(text, context).map((finding) => ({ path, ...finding })))
