/** The pages on which a person signs in and consents. They run no script, load nothing and cannot be framed. */
import type { Scope } from "@svc/core"
import { type Html, html, styledPage } from "@svc/http"
import { type Client, destinationOf, formTarget, isLocalUri, type Referral } from "./clients.ts"

/** What a scope allows, for the person who grants it. */
const scopeTexts: Readonly<Record<Scope, string>> = {
  "offers:read": "Read offers",
  "offers:write": "Create and change offers",
  "leads:read": "Read leads and their conversations",
  "leads:write": "Create and change leads",
  "leads:merge": "Merge leads",
  "missions:read": "Read missions",
  "missions:write": "Create and change missions",
  "agents:read": "Read sender personas",
  "agents:write": "Create and change sender personas",
  "imports:read": "Read imports",
  "imports:run": "Import leads",
  "linkedin:read": "Read LinkedIn drafts, messages and accounts",
  "linkedin:draft": "Write LinkedIn drafts",
  "linkedin:approve": "Approve LinkedIn drafts",
  "linkedin:send": "Send LinkedIn messages and invitations",
  "email:read": "Read emails",
  "email:send": "Send emails",
  "email:approve": "Approve emails",
  "events:read": "Read events",
  "webhooks:manage": "Create and change webhooks",
  "keys:manage": "List and revoke keys",
  "audit:read": "Read the audit log",
  "privacy:manage": "Export and erase personal data",
  admin: "Everything"
}

const style = `
:root{color-scheme:light dark;--bg:#fbfbfc;--card:#fff;--fg:#1b1d22;--dim:#5f636d;--line:#d5d7de;--accent:#4f54c8;--on:#fff;--bad:#b3261e;--badbg:#fdeeed}
@media (prefers-color-scheme:dark){:root{--bg:#121317;--card:#17181d;--fg:#e6e7eb;--dim:#a0a4af;--line:#3a3d47;--accent:#a3a8ff;--on:#14152b;--bad:#ff9a92;--badbg:#3a1d1c}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif}
main{max-width:32rem;margin:6vh auto;padding:1.5rem 2rem;background:var(--card);border:1px solid var(--line);border-radius:12px}
h1{font-size:1.25rem;margin:0 0 1rem;overflow-wrap:anywhere}
h2{font-size:1rem;margin:2rem 0 0}
dl{display:grid;grid-template-columns:auto 1fr;gap:.3rem 1rem;margin:1rem 0}dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
fieldset{border:0;padding:0;margin:1rem 0}legend{font-weight:600;padding:0}
label{display:flex;gap:.6rem;padding:.2rem 0}label.key{display:block;font-weight:600}
input[type=password]{width:100%;padding:.6rem;font:inherit;color:inherit;background:var(--bg);border:1px solid var(--dim);border-radius:6px;margin:.3rem 0 1rem}
button,a.button{font:inherit;padding:.55rem 1.2rem;border-radius:6px;border:1px solid var(--dim);background:none;color:inherit;cursor:pointer;text-decoration:none}
button.primary{background:var(--accent);border-color:var(--accent);color:var(--on);font-weight:600}
.row{display:flex;gap:.8rem;margin-top:1.2rem}.quiet{color:var(--dim);font-size:.9rem}
[role=alert]{background:var(--badbg);color:var(--bad);padding:.6rem .8rem;border-radius:6px}
summary{cursor:pointer;color:var(--dim)}
`

const page = styledPage(style, "same-origin")

const alert = (message: string) => (message === "" ? undefined : html`<p role="alert">${message}</p>`)

/** Who asks, as a person can check it. */
const clientRows = ({ client, redirectUri }: Referral): Html => html`<dl>
<dt>Application</dt><dd>${client.name}</dd>
<dt>Published by</dt><dd>${client.host ?? "not verified: it chose its name itself"}</dd>
<dt>Sends you to</dt><dd>${destinationOf(redirectUri)}</dd>
</dl>${
  isLocalUri(redirectUri)
    ? html`<p class="quiet">Any program on this computer could have started this. Go on only if you started it yourself.</p>`
    : undefined
}`

/** A way to sign in elsewhere: the name of the provider, and the URL that leads there. */
interface ProviderLink {
  readonly name: string
  readonly url: string
}

/** The form to sign in with an API key, and the link to the identity provider if there is one. */
export const signInPage = (asked: Referral, provider: ProviderLink | undefined, message = "", status = 200) =>
  page(
    "Sign in to connect an application",
    html`${alert(message)}${clientRows(asked)}${
      provider && html`<p><a class="button" href="${provider.url}">Sign in with ${provider.name}</a></p>`
    }<form method="post">
<label class="key" for="key">API key</label>
<input id="key" name="api_key" type="password" autocomplete="off" spellcheck="false" required autofocus>
<div class="row"><button class="primary" name="action" value="sign_in">Sign in</button></div>
</form><p class="quiet">Your key stays here: the application never sees it. Or run <code>svc open</code> in a terminal, which
signs this browser in, and reload.</p>`,
    { status }
  )

interface Organization {
  readonly organizationId: string
  readonly name: string
}

/** A form that chooses one of a person's organizations. */
const organizationForm = (organizations: ReadonlyArray<Organization>, action: string): Html =>
  html`<form method="post" action="${action}">${organizations.map(
    ({ name, organizationId }) =>
      html`<div class="row"><button name="organization" value="${organizationId}">${name}</button></div>`
  )}</form>`

/** What the page of consent shows and offers. */
interface ConsentView {
  readonly asked: Referral
  readonly organization: string
  /** The other organizations that the person can choose at once. */
  readonly others: ReadonlyArray<Organization>
  /** The person's key. */
  readonly person: string
  /** What the person may grant. */
  readonly offered: ReadonlyArray<Scope>
  /** Those that are chosen at first. */
  readonly chosen: ReadonlyArray<Scope>
  readonly isDraftOnly: boolean
  readonly ticket: string
  readonly message: string
}

const box =
  (isChecked: boolean) =>
  (scope: Scope): Html =>
    html`<label><input type="checkbox" name="scope" value="${scope}"${isChecked ? html` checked` : undefined}><span>${scopeTexts[scope]}</span></label>`

/** The page on which a person decides. */
export const consentPage = (view: ConsentView) => {
  const { asked, chosen, isDraftOnly, message, offered, organization, others, person, ticket } = view
  const more = offered.filter((scope) => !chosen.includes(scope))
  return page(
    `Allow ${asked.client.name} to act for you?`,
    html`${alert(message)}${clientRows(asked)}<form method="post">
<input type="hidden" name="ticket" value="${ticket}">
<dl><dt>Organization</dt><dd>${organization}</dd><dt>Signed in as</dt><dd>${person}</dd></dl>
<fieldset><legend>It may</legend>${chosen.map(box(true))}</fieldset>
${more.length === 0 ? undefined : html`<details><summary>Allow more</summary><fieldset>${more.map(box(false))}</fieldset></details>`}
<fieldset><legend>Limit</legend><label><input type="checkbox" name="draft_only" value="yes"${isDraftOnly ? html` checked` : undefined}>
<span>Drafts only: it reads and writes drafts, and can change, approve or send nothing else</span></label></fieldset>
<p class="quiet">It acts as an AI agent, in ${organization} only, and never has more rights than you. You can end this at any time with key.revoke.</p>
<div class="row"><button class="primary" name="action" value="allow">Allow</button><button name="action" value="deny">Deny</button>
<button name="action" value="sign_out">Use another organization or account</button></div></form>${
      others.length === 0
        ? undefined
        : html`<h2>Connect it to another organization instead</h2>${organizationForm(others, "../review/provider")}`
    }`,
    { target: formTarget(asked.redirectUri) }
  )
}

/** The page on which a person chooses an organization. */
export const organizationPage = (organizations: ReadonlyArray<Organization>) =>
  page("Choose an organization", organizationForm(organizations, "../provider"))

/** Says what is wrong. With a link, a person can go back to the client, which is told too. */
export const problemPage = (
  message: string,
  status: number,
  link?: { readonly client: Client; readonly url: string }
) =>
  page(
    "This did not work",
    html`${alert(message)}${link && html`<p><a class="button" href="${link.url}">Back to ${link.client.name}</a></p>`}`,
    { status }
  )

/** Loads itself again: a request that another site caused comes without the cookie of the session, and this one does not. */
export const reloadingPage = () =>
  page("One moment", html`<p><a class="button" href="">Continue</a></p>`, {
    meta: html`<meta http-equiv="refresh" content="0">`
  })
