/** The fake's people, relations and invitations. */
import {
  type FakeRequest,
  type Plan,
  type Premises,
  page,
  refuse,
  refused,
  text,
  withAccount,
  withPerson
} from "./Plan.ts"
import type { FakeAccount, FakePerson, World } from "./World.ts"

const relationMade = (world: World, accountId: string, person: FakePerson) => ({
  object: "UserRelation",
  first_name: person.firstName,
  last_name: person.lastName,
  headline: "",
  public_identifier: person.slug,
  public_profile_url: `https://www.linkedin.com/in/${person.slug}`,
  created_at: world.relations.find((one) => one.accountId === accountId && one.slug === person.slug)?.at ?? 0,
  member_id: person.profileToken,
  member_urn: `urn:li:member:${person.memberId}`
})

const distances = { 1: "FIRST_DEGREE", 2: "SECOND_DEGREE", 3: "THIRD_DEGREE" } as const

const profile = ({ world }: Premises, account: FakeAccount, person: FakePerson): Plan => ({
  action: "profile",
  slug: person.slug,
  perform: () => {
    const connected = world.isConnected(account.id, person)
    const pending = world.pendingInvitation(account.id, person.slug)
    return {
      object: "UserProfile",
      provider: "LINKEDIN",
      provider_id: person.profileToken,
      public_identifier: person.slug,
      first_name: person.firstName,
      last_name: person.lastName,
      headline: "Somebody",
      member_urn: `urn:li:member:${person.memberId}`,
      network_distance: connected ? "FIRST_DEGREE" : distances[person.degree],
      is_relationship: connected,
      can_send_inmail: false,
      ...(pending === undefined ? {} : { invitation: { type: "SENT", status: "PENDING" } })
    }
  }
})

const invite = ({ world }: Premises, body: FakeRequest["body"]): Plan =>
  withAccount(world, text(body["account_id"]), (account) =>
    withPerson(world, text(body["provider_id"]), "invalid_recipient", (person) => {
      const note = text(body["message"])
      const refusal = world.isConnected(account.id, person)
        ? refuse(422, "already_connected")
        : world.pendingInvitation(account.id, person.slug) !== undefined
          ? refuse(422, "already_invited_recently")
          : note.length > 300
            ? refuse(400, "too_many_characters")
            : world.isOverLimit(account.id, "invitation")
              ? refuse(422, "cannot_resend_yet")
              : undefined
      return {
        action: "invite",
        slug: person.slug,
        refusal,
        status: 201,
        perform: () => ({
          object: "UserInvitationSent",
          invitation_id: world.invite(account.id, person.slug, note === "" ? null : note).id
        })
      }
    })
  )

/** `/users` and below. */
export const users = (premises: Premises, { method, path, query, body }: FakeRequest): Plan | undefined => {
  const { world } = premises
  const [, second = "", third, fourth] = path
  if (second === "invite" && third === undefined && method === "POST") return invite(premises, body)
  return withAccount(world, query.get("account_id") ?? "", (account) => {
    if (second === "invite" && method === "DELETE") {
      const found = world.invitations.find(({ id, status }) => id === fourth && status === "PENDING")
      if (found === undefined) return refused(refuse(404, "resource_not_found"))
      return {
        action: "withdraw",
        slug: found.slug,
        perform: () => {
          found.status = "WITHDRAWN"
          return { object: "UserInvitationCanceled" }
        }
      }
    }
    if (second === "invite") {
      const sent = world.invitations.filter((one) => one.accountId === account.id && one.status === "PENDING")
      const rows = sent.map((one) => ({
        object: "UserInvitation",
        id: one.id,
        invited_user_id: world.people.get(one.slug)?.profileToken,
        invited_user_public_id: one.slug,
        invitation_text: one.note
      }))
      return { perform: () => page(third === "sent" ? rows : [], query, "UserInvitationList", 10) }
    }
    if (second === "relations") {
      world.settle()
      const made = world.relations.flatMap((one) => {
        const person = one.accountId === account.id ? world.people.get(one.slug) : undefined
        return person === undefined ? [] : [relationMade(world, account.id, person)]
      })
      return { action: "relations", perform: () => page(made, query, "UserRelationsList") }
    }
    if (second === "me") return { perform: () => ({ object: "AccountOwnerProfile", provider_id: account.providerId }) }
    return withPerson(world, second, "resource_not_found", (person) => profile(premises, account, person))
  })
}
