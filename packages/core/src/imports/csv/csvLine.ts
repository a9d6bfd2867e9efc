/** Writing CSV (RFC 4180) that is safe to open in a spreadsheet. */

/**
 * Whether a spreadsheet could run a text as a formula, after skipping invisible characters and folding full-width, small
 * and superscript forms as spreadsheets do. A leading apostrophe prevents that.
 */
const isFormula = (text: string): boolean =>
  /^[\t\r\n]/.test(text) ||
  /^[=+\-@−]/.test(
    text
      .replace(/^[\s\p{C}\p{M}]+/u, "")
      .slice(0, 1)
      .normalize("NFKC")
  )

const cell = (text: string): string => {
  const safe = isFormula(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line, including its line end. */
export const csvLine = (cells: ReadonlyArray<string>): string => `${cells.map(cell).join(",")}\r\n`
