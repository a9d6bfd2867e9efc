/** Shortens texts and records for the compact profile. */

/** Maximum characters of a text in the compact profile. */
export const shortLength = 280

/** The text, cut with an ellipsis if it is longer. */
export const shorten = (text: string): string =>
  text.length > shortLength ? `${text.slice(0, shortLength - 1).trimEnd()}…`.toWellFormed() : text
