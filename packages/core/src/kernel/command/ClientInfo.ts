/** The program that a caller uses, as it names itself: nobody has verified it. */
import { visibleText } from "../schema/visibleText.ts"

/** Its name and version; null without a version. */
export interface ClientInfo {
  readonly name: string
  readonly version: string | null
}

const maxName = 80
const maxVersion = 40

const lineOf = (value: unknown, max: number): string =>
  typeof value === "string"
    ? visibleText(value.slice(0, max * 4))
        .replaceAll(/\s+/g, " ")
        .trim()
        .slice(0, max)
        .toWellFormed()
    : ""

/** What a program says of itself, as one line of visible characters, cut to 80 and 40; undefined without a name. */
export const clientInfo = (name: unknown, version: unknown): ClientInfo | undefined => {
  const shown = lineOf(name, maxName)
  return shown === "" ? undefined : { name: shown, version: lineOf(version, maxVersion) || null }
}

const decoded = (part: string | undefined): string | undefined => {
  if (part === undefined) return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The header `Svc-Client` of a program: name and version, each percent-encoded, with a slash in between. */
export const clientHeader = ({ name, version }: ClientInfo): string =>
  [name, ...(version === null ? [] : [version])].map(encodeURIComponent).join("/")

/** The program that a header `Svc-Client` names, such as `sales-bot/1.2`; undefined when it names none. */
export const clientOfHeader = (header: string | undefined): ClientInfo | undefined => {
  if (header === undefined) return undefined
  const [name, version] = header.split("/", 2)
  return clientInfo(decoded(name), decoded(version))
}
