/** How the compact profile cuts a long text. Source: contract 1.1, G23. */

/** The most characters of a text that the compact profile keeps whole. */
export const shortLength = 280

/** The text, or its beginning with an ellipsis when it is longer. */
export const shorten = (text: string): string =>
  text.length > shortLength ? `${text.slice(0, shortLength - 1).trimEnd()}…`.toWellFormed() : text
