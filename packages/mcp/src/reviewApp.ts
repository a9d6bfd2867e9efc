/**
 * The app that clients show beside a draft: its text, findings and lead. It reads with the client's tools and decides
 * nothing: its link opens the review page, where a person decides with a session that no agent has.
 */
import type { Params } from "./JsonRpc.ts"

const uri = "ui://svc/review-draft"
const mimeType = "text/html;profile=mcp-app"

/** The app as a resource. */
export const appResource = {
  uri,
  name: "review-draft",
  title: "Draft",
  description: "One draft with its findings and lead, for clients that show apps",
  mimeType
}

/** Commands whose result has one draft. */
const shownBy: ReadonlySet<string> = new Set(["linkedin.draft.create", "linkedin.draft.get", "review.get"])

/** What a tool says about apps: which one shows its result. */
export const appMeta = (commandId: string): { readonly _meta?: Params } =>
  shownBy.has(commandId) ? { _meta: { ui: { resourceUri: uri } } } : {}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")

/** The app, with the URL of the review page if it is known. It loads nothing, and connects to nothing but the client. */
export const appContents = (html: string, reviewPage: string | undefined): Params => {
  const text = html.replace(
    'name="svc-review" content=""',
    () => `name="svc-review" content="${escaped(reviewPage ?? "")}"`
  )
  const csp = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }
  return { contents: [{ uri, mimeType, text, _meta: { ui: { csp, prefersBorder: true } } }] }
}
