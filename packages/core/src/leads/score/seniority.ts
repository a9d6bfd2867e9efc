/** Seniority from a job title. */

/** Levels, highest first, with the whole words that indicate them. */
const levels = [
  {
    share: 1,
    level: "an owner or executive",
    words: [
      "ceo",
      "cfo",
      "coo",
      "cto",
      "cmo",
      "cro",
      "cio",
      "chief",
      "founder",
      "cofounder",
      "owner",
      "president",
      "partner"
    ]
  },
  { share: 0.8, level: "a vice president or head", words: ["vp", "svp", "evp", "head", "vice"] },
  { share: 0.7, level: "a director", words: ["director", "principal"] },
  { share: 0.5, level: "a manager", words: ["manager", "lead", "controller", "supervisor"] },
  { share: 0.3, level: "experienced staff", words: ["senior", "sr", "specialist", "expert"] },
  { share: 0.1, level: "a junior employee", words: ["junior", "intern", "trainee", "assistant", "student"] }
] as const

/** The words of a text, in lower case. */
export const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== "")
  )

/** Share of the points, 0 to 1, and the level in words; 0.2 for an unknown title. */
export const seniorityOf = (title: string): { readonly share: number; readonly level: string | undefined } => {
  const words = wordsOf(title)
  if (words.size === 0) return { share: 0, level: undefined }
  // A vice president is not a president.
  const isVice = words.has("vice") || words.has("assistant")
  const found = levels.find(
    ({ share, words: telling }) => (share < 1 || !isVice) && telling.some((word) => words.has(word))
  )
  return found ?? { share: 0.2, level: "staff" }
}
