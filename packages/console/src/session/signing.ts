/** Signing in, and what begins when somebody is. */
import { session } from "../screen/state.ts"
import { request } from "../service/request.ts"
import { linkCode, type Person } from "./Session.ts"

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
export const signIn = async (body: { readonly api_key: string } | { readonly link: string }): Promise<string> => {
  const found = await request("POST", "/review/session", { body })
  if (!found.ok) return found.problem.message
  await readSession()
  return ""
}

/** Starts the session: with the link of the URL if it has one, which is used once and removed from the URL. */
export const startSession = async (): Promise<void> => {
  const link = linkCode(location.hash)
  if (link === undefined) return readSession()
  history.replaceState(null, "", location.pathname)
  const problem = await signIn({ link })
  if (problem !== "") {
    await readSession()
    if (session.value.state === "out") session.value = { ...session.value, message: problem }
  }
}
