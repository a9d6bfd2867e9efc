/**
 * Reading a LinkedIn message as its reader and a sceptical colleague would, before anybody approves it.
 *
 * Deterministic and without any call. Lengths count UTF-16 units, as LinkedIn does.
 */

import { excerpt, type Finding, type FindingSeverity } from "../../kernel/schema/Finding.ts"
import type { LeadId } from "../../kernel/schema/IdsAndTime.ts"
import { findPlaceholders } from "../../kernel/schema/TextFields.ts"
import { codePointName } from "../../kernel/schema/TextRules.ts"
import type { LeadContent } from "../../leads/Lead.ts"
import type { MissionContent } from "../../missions/Mission.ts"
import { maxMessageLength, recommendedLength } from "../DraftInput.ts"
import { claimsOf, numbersOf } from "./claims.ts"
import { hiddenIn } from "./hidden.ts"

/** Tags of languages where any noun has a capital, so that names do not stand out. */
export const nounCapitals = /^(?:de|lb|nds)(?:-|$)/i

/** Scripts of several parts, or without letters of their own, as ranges of letters. */
const parts: Readonly<Record<string, string>> = {
  Jpan: String.raw`\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}`,
  Kore: String.raw`\p{sc=Hang}\p{sc=Hani}`,
  Hans: String.raw`\p{sc=Hani}`,
  Hant: String.raw`\p{sc=Hani}`
}

/** Shorter texts tell nothing, in letters. */
const minLetters = 12

const lettersOf = (language: string): RegExp | undefined => {
  try {
    const { script = "" } = new Intl.Locale(language).maximize()
    return new RegExp(`[${parts[script] ?? String.raw`\p{sc=${script}}`}]`, "gu")
  } catch {
    return undefined
  }
}

/** Whether most letters of a text are not those of a language, by its tag. False when nobody can tell. */
export const hasOtherLetters = (text: string, language: string): boolean => {
  const letters = lettersOf(language)
  const all = text.match(/\p{L}/gu)?.length ?? 0
  return letters !== undefined && all >= minLetters && (text.match(letters)?.length ?? 0) * 2 < all
}

/** A text for a person. */
export interface AddressedText {
  readonly text: string
  readonly name: string
  readonly company: string
}

/** Shorter texts, such as thanks, are alike by nature. In characters of the folded form. */
const minTemplateLength = 40

const fold = (text: string): string => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase()

/** The words of a text, without case and accents. */
export const wordsOf = (text: string): ReadonlyArray<string> => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * The text without case, accents, punctuation and white space, and without the parts of the person's name and company: two
 * messages with the same fold are one template. Undefined when the text is too short to tell.
 */
export const templateOf = ({ company, name, text }: AddressedText): string | undefined => {
  const own = new Set([...wordsOf(name), ...wordsOf(company)])
  const template = wordsOf(text)
    .filter((word) => !own.has(word))
    .join(" ")
  return template.length < minTemplateLength ? undefined : template
}

/** Where the words that address somebody end. */
const pause = /[,!?:;\n]|\s[-–—]\s/u

/** More words before the first pause are a sentence. */
const maxWords = 5

/** A word with a capital that ends the opening words, such as "Dear Mr Turing,". */
interface WrongName {
  readonly quote: string
  /** Whether it is part of the name of another lead. Otherwise it may be no name. */
  readonly isOther: boolean
}

/** The name of somebody else. Undefined when the opening words have a part of the lead's name, or what may be short for one. */
export const wrongName = (text: string, name: string, others: ReadonlyArray<AddressedText>): WrongName | undefined => {
  const words = (text.trimStart().slice(0, 200).split(pause)[0] ?? "").trim().split(/\s+/)
  const quote = words.at(-1) ?? ""
  const parts = wordsOf(quote)
  if (words.length > maxWords || !/^\p{Lu}/u.test(quote) || quote.length < 2) return undefined
  const own = wordsOf(name)
  const isShort = (word: string) => own.some((part) => part.startsWith(word) || word.startsWith(part))
  const isOwn = words.flatMap(wordsOf).some((word) => own.includes(word)) || parts.some(isShort)
  if (own.length === 0 || isOwn) return undefined
  const isOther = others.some((other) => {
    const known = new Set(wordsOf(other.name))
    return parts.every((part) => known.has(part))
  })
  return isOther || (words.length > 1 && words.length < maxWords) ? { quote, isOther } : undefined
}

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

/** A finding of one text. `problem` and `hint`, how to fix it, together are its message. */
export interface TextFinding extends Omit<Finding, "path"> {
  readonly problem: string
  readonly hint: string
  /** Where, in UTF-16 units; null when it is about the whole text. */
  readonly start: number | null
  readonly end: number | null
}

type Rule = (text: string, context: MessageContext) => ReadonlyArray<TextFinding>

/** A finding. `quote` is the part of the text that is meant. */
export const found = (
  severity: FindingSeverity,
  code: string,
  problem: string,
  hint: string,
  place?: { readonly text: string; readonly quote: string }
): TextFinding => {
  const start = place === undefined ? -1 : place.text.indexOf(place.quote)
  const isThere = place !== undefined && start !== -1
  return {
    severity,
    code,
    message: `${problem} ${hint}`,
    problem,
    hint,
    start: isThere ? start : null,
    end: isThere ? start + place.quote.length : null
  }
}

const shownClaims = 5

const length: Rule = (text) => {
  const units = text.length
  if (text.trim() === "") return [found("error", "empty", "The text is empty.", "Write one.")]
  if (units > maxMessageLength) {
    const problem = `${units} characters; LinkedIn allows at most ${maxMessageLength}.`
    return [found("error", "too_long", problem, "Shorten it.")]
  }
  if (units <= recommendedLength) return []
  const problem = `${units} characters; LinkedIn may refuse more than ${recommendedLength}, and few people read that much.`
  return [found("warning", "long", problem, "Shorten it.")]
}

const placeholders: Rule = (text) =>
  findPlaceholders(text).map((quote) =>
    found("error", "placeholder", `The placeholder ${excerpt(quote)} is still there.`, "Replace it.", { text, quote })
  )

const name: Rule = (text, { language = "", lead, others }) => {
  const wrong = lead === undefined ? undefined : wrongName(text, lead.name, others)
  if (lead === undefined || wrong === undefined || (!wrong.isOther && nounCapitals.test(language))) return []
  const { isOther, quote } = wrong
  const problem = `It addresses ${excerpt(quote)}, but the lead is ${excerpt(lead.name)}.`
  const hint = "Correct the name or the lead."
  return [found(isOther ? "error" : "info", "wrong_name", problem, hint, { text, quote })]
}

const language: Rule = (text, context) => {
  if (context.language === undefined || !hasOtherLetters(text, context.language)) return []
  const problem = `Most letters are not those of the mission's language, ${context.language}.`
  return [found("warning", "language_mismatch", problem, "Translate it, or correct the mission's language.")]
}

const address = /(?:https?:\/\/|www\.)[^\s]{1,2048}/giu

const links: Rule = (text, { lead }) => {
  const addresses = text.match(address) ?? []
  const [first, second] = addresses
  if (second !== undefined) {
    const problem = `It has ${addresses.length} links. More than one looks like advertising;`
    return [found("warning", "many_links", problem, "keep the most important.", { text, quote: second })]
  }
  return first !== undefined && lead?.wasWritten === false
    ? [
        found(
          "info",
          "link_in_first_message",
          "First messages with a link get fewer replies.",
          "Offer to send it instead.",
          { text, quote: first }
        )
      ]
    : []
}

const hidden: Rule = (text) => {
  const [first, ...others] = hiddenIn(text)
  if (first === undefined) return []
  const { character, index } = first
  const problem = `Nobody can see ${others.length + 1} of its characters, such as ${codePointName(character.codePointAt(0) ?? 0)}.`
  const finding = found("warning", "hidden_characters", problem, "Remove them: they may hide words from you.")
  return [{ ...finding, start: index, end: index + character.length }]
}

/** Of texts that many are compared with. */
const templates = new WeakMap<AddressedText, { readonly template: string | undefined }>()

const templateOnce = (other: AddressedText): string | undefined => {
  const known = templates.get(other) ?? { template: templateOf(other) }
  templates.set(other, known)
  return known.template
}

const repeated: Rule = (text, { lead, others }) => {
  const template = templateOf({ text, name: lead?.name ?? "", company: lead?.company ?? "" })
  if (template === undefined) return []
  const same = new Set(others.filter((other) => templateOnce(other) === template).map(({ leadId }) => leadId))
  if (same.size === 0) return []
  const whom = same.size === 1 ? "one other lead" : `${same.size} other leads`
  const problem = `Same message as for ${whom}, apart from the name.`
  return [found("warning", "repeated_body", problem, "Say something about this person.")]
}

const claims: Rule = (text, { support }) => {
  if (support === undefined) return []
  const known = new Set(support.texts.flatMap((part) => [...numbersOf(part)]))
  const open = claimsOf(text).filter(({ value }) => !known.has(value))
  return [...new Map(open.map((claim) => [claim.text.toLowerCase(), claim])).values()]
    .slice(0, shownClaims)
    .map(({ kind, text: quote }) =>
      found(
        kind === "number" ? "info" : "warning",
        "unsupported_claim",
        support.hasOffer
          ? `${excerpt(quote)} isn't supported by the offer or the lead's profile.`
          : `${excerpt(quote)} isn't supported, as the mission has no offer.`,
        support.hasOffer ? "Add the proof to the offer, or remove the figure." : "Link an offer, or remove the figure.",
        { text, quote }
      )
    )
}

const rules: ReadonlyArray<Rule> = [length, placeholders, name, language, hidden, links, repeated, claims]

/** The findings of one text, in the order of the rules. */
export const readMessage = (text: string, context: MessageContext): ReadonlyArray<TextFinding> =>
  rules.flatMap((rule) => rule(text, context))

/** A finding as it is shown. */
export const shownFinding = ({ code, message, path, severity }: Finding): Finding => ({ path, severity, code, message })

/** The same as they are shown; `path` says which text. */
export const checkMessage = (path: string, text: string, context: MessageContext): ReadonlyArray<Finding> =>
  readMessage(text, context).map((finding) => shownFinding({ ...finding, path }))

/** What is known of a person, as texts. */
export const leadTexts = (lead: LeadContent): ReadonlyArray<string> => [
  lead.headline,
  lead.jobTitle,
  lead.company,
  lead.companyHeadline,
  lead.companySize,
  lead.description,
  ...lead.experience.flatMap(({ description = "", duration, role }) => [role, duration, description]),
  ...lead.recentPosts.map(({ content }) => content)
]

/** The brief of a mission, as texts. */
export const briefTexts = (
  brief: Pick<
    MissionContent,
    "objective" | "description" | "whoAreThey" | "whyWeContactThem" | "desiredAction" | "keyMessage" | "emailExamples"
  >
): ReadonlyArray<string> => [
  brief.objective,
  brief.description,
  brief.whoAreThey,
  brief.whyWeContactThem,
  brief.desiredAction,
  brief.keyMessage,
  ...brief.emailExamples
]
