/** The form to sign in with an API key. */
import { useState } from "preact/hooks"
import { type Person, session, waiting } from "../screen/state.ts"
import { base, provider, request } from "../service/request.ts"

/** Finds out who is signed in. */
const readSession = async (): Promise<void> => {
  const found = await request<Person>("GET", "/review/session")
  if (found.ok) session.value = { state: "in", person: found.data }
  else if (found.problem.kind === "signed_out") {
    session.value = { state: "out", at: found.problem.code === "SIGN_IN_AT_HOST" ? "host" : "key", message: "" }
  } else {
    session.value = { state: "out", at: "key", message: found.problem.message }
    setTimeout(() => session.value.state === "out" && session.value.message !== "" && void readSession(), 3000)
  }
}

/** Signs in with a key or the code of a link. Returns what is wrong. */
const signIn = async (body: { readonly api_key: string } | { readonly link: string }): Promise<string> => {
  const found = await request("POST", "/review/session", { body })
  if (!found.ok) {
    return found.problem.kind === "signed_out" && "api_key" in body
      ? "This key is not valid here."
      : found.problem.message
  }
  await readSession()
  return ""
}

/** Starts the session: with the link of the URL if it has one, which is used once and removed from the URL. */
export const startSession = async (): Promise<void> => {
  const link = new URLSearchParams(location.hash.slice(1)).get("link")
  if (link === null) return readSession()
  history.replaceState(null, "", location.pathname + location.search)
  const problem = await signIn({ link })
  if (problem !== "") {
    await readSession()
    if (session.value.state === "out") session.value = { ...session.value, message: problem }
  }
}

/** The form, or what to do where people sign in elsewhere. */
export const SignIn = () => {
  const [problem, setProblem] = useState("")
  const [isBusy, setBusy] = useState(false)
  const { value } = session
  if (value.state !== "out") return null
  const unsent = waiting.value.length
  const message = problem || value.message
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("key") as HTMLInputElement
    setBusy(true)
    setProblem(await signIn({ api_key: field.value.trim() }))
    setBusy(false)
  }
  return (
    <main class="sign-in stack">
      <form onSubmit={submit} class="sign-in-card stack panel">
        <h1>Sign in</h1>
        {message !== "" && (
          <p class="part-problem error" role="alert">
            {message}
          </p>
        )}
        {unsent > 0 && (
          <p role="status">
            {unsent === 1 ? "1 decision is" : `${unsent} decisions are`} kept in this browser and sent after you sign
            in.
          </p>
        )}
        {value.at === "host" ? (
          <p>Sign in to the application that this page is part of, then reload.</p>
        ) : (
          <>
            {provider.value !== "" && (
              <p>
                <a
                  href={`${base}/review/provider?to=${encodeURIComponent(location.pathname.slice(base.length + 1) || "overview")}`}
                >
                  Sign in with {provider.value}
                </a>
              </p>
            )}
            <label for="key">API key</label>
            <input id="key" name="key" type="password" autocomplete="off" spellcheck={false} required autofocus />
            <button type="submit" class="primary" disabled={isBusy}>
              {isBusy ? "Signing in…" : "Sign in"}
            </button>
            <p class="quiet">
              Or run <code>svc open</code> in a terminal: it opens this page signed in.
            </p>
          </>
        )}
      </form>
    </main>
  )
}
