/** Writing CSV that a spreadsheet opens without running anything of it. Source: RFC 4180; G22. */

/** How spreadsheets begin a formula; texts that begin so are shown as text when an apostrophe stands before them. */
const formulaStart = /^[=+\-@\t\r]/

const cell = (text: string): string => {
  const safe = formulaStart.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line of cells with its end. */
export const csvLine = (cells: ReadonlyArray<string>): string => `${cells.map(cell).join(",")}\r\n`
