/** The head of a CSV file as rows of cells. Pure. */

/** Reads the beginning of a file as the service does: by its mark, otherwise UTF-8, and Windows-1252 where it is not valid. */
export const textOf = (bytes: Uint8Array): string => {
  const marked = ({ 255: "utf-16le", 254: "utf-16be" } as const)[bytes[0] as 255 | 254] ?? "utf-8"
  try {
    // A character may be cut at the end.
    return new TextDecoder(marked, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}

/** The delimiters, as parts of a pattern. */
const delimiters = [",", ";", "\t", "\\|"]

type Records = ReadonlyArray<ReadonlyArray<string>>

const recordsOf = (text: string, delimiter: string): Records => {
  const plain = `[^${delimiter}\\r\\n]*`
  const cell = new RegExp(`(?: *"((?:[^"]|"")*)"${plain}|(${plain}))(\\r?\\n|\\r)?(?:${delimiter})?`, "g")
  const records: Array<Array<string>> = [[]]
  for (const { 1: quoted, 2: bare = "", 3: end, index } of text.matchAll(cell)) {
    if (index === text.length) break
    records.at(-1)?.push((quoted?.replaceAll('""', '"') ?? bare).trim())
    if (end !== undefined) records.push([])
  }
  return records.filter((cells) => cells.some((one) => one !== ""))
}

/** A header with the rows below it, by the delimiter under which the header has most columns. */
export const headOf = (text: string): { readonly columns: ReadonlyArray<string>; readonly rows: Records } => {
  const [start = "", said] = /^\ufeff?(?:sep=(.)\r?\n)?/i.exec(text) ?? []
  const possible = delimiters.filter((one) => said === undefined || one.endsWith(said))
  const found = possible.map((delimiter) => recordsOf(text.slice(start.length), delimiter))
  const [[columns = [], ...rows] = []] = found.toSorted(([a = []], [b = []]) => b.length - a.length)
  return { columns, rows }
}
