/** A person with a browser, in front of the page of consent of a server. */
import { assert } from "@effect/vitest"
import { fieldOf, formText } from "./oauthService.ts"

/** What the person chooses. */
type Choice = Readonly<Record<string, string | ReadonlyArray<string>>>

const formHeaders = (url: URL, cookie: string) => ({
  cookie,
  origin: url.origin,
  "content-type": "application/x-www-form-urlencoded"
})

/** Opens the URL that a client wants opened, signs in with a key and allows it; where the browser is sent then. */
export const allowInBrowser = async (opened: URL, apiKey: string, choice: Choice = {}): Promise<URL> => {
  const post = (fields: Parameters<typeof formText>[0], cookie: string) =>
    fetch(opened, { method: "POST", redirect: "manual", headers: formHeaders(opened, cookie), body: formText(fields) })
  const signedIn = await post({ action: "sign_in", api_key: apiKey }, "")
  const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
  assert.strictEqual(signedIn.status, 303, cookie)
  const page = await (await fetch(opened, { headers: { cookie } })).text()
  const chosen = [...page.matchAll(/name="scope" value="([a-z:]+)" checked/g)].map(([, scope = ""]) => scope)
  const draft_only = page.includes('name="draft_only" value="yes" checked') ? "yes" : "no"
  const ticket = fieldOf(page, "ticket")
  const decided = await post({ ticket, action: "allow", scope: chosen, draft_only, ...choice }, cookie)
  assert.strictEqual(decided.status, 303, await decided.text())
  return new URL(decided.headers.get("location") ?? "")
}
