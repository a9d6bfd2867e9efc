/** Finds weak wording: placeholders, clichés and shouting. */
import { excerpt, type Finding } from "../../kernel/schema/Finding.ts"
import { findPlaceholders } from "../../kernel/schema/Placeholder.ts"
import type { OfferText } from "./offerTexts.ts"

/** Clichés in the most common languages of offers. */
const vague = [
  "best-in-class",
  "best in class",
  "world-class",
  "world class",
  "cutting-edge",
  "cutting edge",
  "state-of-the-art",
  "state of the art",
  "next-generation",
  "next generation",
  "game-changing",
  "game changer",
  "game-changer",
  "market-leading",
  "market leading",
  "industry-leading",
  "industry leading",
  "leading provider",
  "market leader",
  "innovative",
  "revolutionary",
  "disruptive",
  "seamless",
  "seamlessly",
  "holistic",
  "synergy",
  "synergies",
  "one-stop shop",
  "turnkey",
  "unparalleled",
  "unrivalled",
  "unrivaled",
  "unique solution",
  "huge savings",
  "significant savings",
  "significantly improve",
  "boost your business",
  "take your business to the next level",
  "next level",
  "leader du marché",
  "innovant",
  "innovante",
  "révolutionnaire",
  "clé en main",
  "de pointe",
  "marktführend",
  "marktführer",
  "innovativ",
  "innovative lösung",
  "revolutionär",
  "ganzheitlich",
  "líder del mercado",
  "innovador",
  "innovadora",
  "revolucionario",
  "leader di mercato",
  "all'avanguardia"
]

const longestFirst = vague.toSorted((a, b) => b.length - a.length)
const claims = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.join("|")})(?![\\p{L}\\p{N}])`, "giu")

/** Fields that contain promises. */
const promises = /^(?:name|one_liner|value_proposition|problem_solutions\[\d+\]\.solution|differentiators\[\d+\]\.\w+)$/

const shown = 3

const placeholders = ({ path, text }: OfferText): ReadonlyArray<Finding> =>
  findPlaceholders(text).map((mark) => ({
    path,
    severity: "error",
    code: "placeholder",
    message: `The placeholder ${excerpt(mark)} is still there. Replace it.`
  }))

const vagueClaims = ({ path, text }: OfferText): ReadonlyArray<Finding> => {
  if (!promises.test(path)) return []
  const found = [...new Set(Array.from(text.matchAll(claims), ([claim]) => claim.toLowerCase()))]
  return found.slice(0, shown).map((claim) => ({
    path,
    severity: "warning",
    code: "vague_claim",
    message: `${excerpt(claim)} is a cliché. Say what changes for the customer, with a figure or a name.`
  }))
}

const isShouting = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0
  return /!{2,}|\?{2,}/.test(text) || (letters >= 20 && capitals > letters * 0.7)
}

const shouting = ({ path, text }: OfferText): ReadonlyArray<Finding> =>
  isShouting(text)
    ? [
        {
          path,
          severity: "info",
          code: "shouting",
          message: "Capitals or repeated punctuation read as shouting. Tone it down."
        }
      ]
    : []

/** Findings on words. */
export const wording = (texts: ReadonlyArray<OfferText>): ReadonlyArray<Finding> =>
  texts.flatMap((text) => [...placeholders(text), ...vagueClaims(text), ...shouting(text)])
