/** Who is signed in. Pure. */

/** The person, as the service describes them. */
export interface Person {
  readonly organization: string
  readonly name: string
  readonly scopes: ReadonlyArray<string>
}

/** See above. `host` means that people sign in to the program that the service is part of. */
export type Session =
  | { readonly state: "starting" }
  | { readonly state: "out"; readonly at: "key" | "host"; readonly message: string }
  | { readonly state: "in"; readonly person: Person }

/** Whose decisions are kept in this browser: those of one person are never sent as another. */
export const ownerOf = (session: Session): string =>
  session.state === "in" ? `${session.person.organization}/${session.person.name}` : ""

/** The one-time code of a sign-in link, from the fragment of the URL. */
export const linkCode = (hash: string): string | undefined =>
  new URLSearchParams(hash.slice(1)).get("link") ?? undefined
