/** Finds weak wording: placeholders and shouting. */
import { excerpt, type Finding } from "../../kernel/schema/Finding.ts"
import { findPlaceholders } from "../../kernel/schema/Placeholder.ts"
import type { OfferText } from "./offerTexts.ts"

const placeholders = ({ path, text }: OfferText): ReadonlyArray<Finding> =>
  findPlaceholders(text).map((mark) => ({
    path,
    severity: "error",
    code: "placeholder",
    message: `The placeholder ${excerpt(mark)} is still there. Replace it.`
  }))

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
  texts.flatMap((text) => [...placeholders(text), ...shouting(text)])
