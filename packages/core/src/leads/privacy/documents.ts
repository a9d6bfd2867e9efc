/** Documents without a lead id, of which those that name a person are exported and erased with the person. */
import type { mentions } from "./mentions.ts"
import type { LeadRecords } from "./PrivacyRepo.ts"

type IsNamed = ReturnType<typeof mentions>

/** A stored response, which is found by its idempotency key too. */
type Response = LeadRecords["responses"][number] & { readonly key: string }

/** A refused row of an import, with the columns of its file. */
type Row = LeadRecords["imports"][number] & {
  readonly columns: ReadonlyArray<{ readonly name: string; readonly field: string | null }> | null
}

/** Requests for approval, stored responses, and refused rows of imports. */
export interface Documents {
  readonly requests: LeadRecords["requests"]
  readonly responses: ReadonlyArray<Response>
  readonly rows: ReadonlyArray<Row>
}

/** Makes a request's input readable: the rows of a file, with its whole text before them. */
type Readable = (commandId: string, input: unknown) => unknown

/** Those that name the person, with the responses to decisions on such requests. */
export const documentsNaming = (isNamed: IsNamed, readable: Readable, all: Documents): Documents => {
  const requests = all.requests.filter(({ command_id, input, problem, reason }) =>
    isNamed([readable(command_id, input), reason, problem])
  )
  const ids = new Set<unknown>(requests.map(({ approval_request_id }) => approval_request_id))
  const decidedIn = (response: unknown) => Object(Object(Object(response)["data"])["approval"])["approval_request_id"]
  return {
    requests,
    responses: all.responses.filter(({ key, response }) => isNamed([key, response]) || ids.has(decidedIn(response))),
    rows: all.rows.filter(({ cells, columns }) => isNamed(cells, columns ?? []))
  }
}

/** The part that is about the person: of a list that names the person, the items that do. */
const partAbout = (document: unknown, isNamed: IsNamed): unknown => {
  if (Array.isArray(document)) {
    const theirs = document.filter((one) => isNamed(one))
    return (theirs.length === 0 ? document : theirs).map((one) => partAbout(one, isNamed))
  }
  if (typeof document !== "object" || document === null) return document
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, partAbout(value, isNamed)]))
}

const byId = (a: Documents["requests"][number], b: typeof a): number =>
  String(a.approval_request_id) < String(b.approval_request_id) ? -1 : 1

/** The records of an export with the parts of documents that are about the person, of files only rows. */
export const withDocuments = (
  records: Omit<LeadRecords, "requests" | "responses">,
  isNamed: IsNamed,
  readable: Readable,
  { requests, responses, rows }: Documents
): LeadRecords => ({
  ...records,
  imports: [...records.imports, ...rows.map(({ columns: _, ...row }) => row)],
  requests: requests.toSorted(byId).map((request) => {
    const { content, ...input } = Object(readable(request.command_id, request.input))
    const read = content === undefined ? input : { ...input, content: Array.isArray(content) ? content[1] : content }
    return { ...request, input: request.input && Object(partAbout(read, isNamed)) }
  }),
  responses: responses.map(({ key: _, response, ...rest }) => ({
    ...rest,
    response: Object(partAbout(response, isNamed))
  }))
})
