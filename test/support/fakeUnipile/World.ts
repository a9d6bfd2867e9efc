/**
 * The world behind the local fake of the provider: accounts, people, conversations, invitations, and the ledger of what
 * was really accepted, which is what tests count. Everything is in memory and, but for the clock, deterministic.
 */
import { createHash } from "node:crypto"

/** An account at the provider. `providerId` is its owner's profile token. */
export interface FakeAccount {
  readonly id: string
  readonly name: string
  readonly providerId: string
  readonly features: ReadonlyArray<"premium" | "sales_navigator" | "recruiter">
  status: "OK" | "CREDENTIALS" | "STOPPED" | "ERROR" | "CONNECTING" | "RESTRICTED"
}

/** A person. Connected with an account when of first degree, or when an invitation was accepted. */
export interface FakePerson {
  readonly slug: string
  readonly profileToken: string
  readonly salesToken: string
  readonly memberId: number
  readonly firstName: string
  readonly lastName: string
  readonly degree: 1 | 2 | 3
  /** Milliseconds from an invitation to its acceptance; null: never. */
  readonly acceptAfter: number | null
}

/** A conversation of an account with one person. */
export interface FakeChat {
  readonly id: string
  readonly accountId: string
  readonly slug: string
  timestamp: number
}

/** A message of a conversation. */
export interface FakeMessage {
  readonly id: string
  readonly chatId: string
  readonly accountId: string
  readonly senderId: string
  readonly text: string
  readonly at: number
  readonly own: boolean
}

/** An invitation. */
export interface FakeInvitation {
  readonly id: string
  readonly accountId: string
  readonly slug: string
  readonly note: string | null
  readonly at: number
  status: "PENDING" | "ACCEPTED" | "WITHDRAWN"
}

/** Something that really left. `at` is milliseconds on the fake's clock. */
export interface AcceptedSend {
  readonly sequence: number
  readonly accountId: string
  readonly slug: string
  readonly kind: "message" | "invitation"
  readonly text: string | null
  readonly at: number
}

/** The most that an account may send in 24 hours; undefined: as much as it likes. */
export interface FakeLimits {
  readonly messages?: number
  readonly invitations?: number
}

const token = (tag: number, memberId: number, seed: string): string => {
  const bytes = Buffer.alloc(29)
  bytes.writeUInt16BE(tag, 0)
  bytes.writeUInt32BE(memberId, 4)
  bytes[8] = 1
  createHash("sha256").update(`${tag}/${seed}`).digest().copy(bytes, 9, 0, 20)
  return bytes.toString("base64url")
}

const hashNumber = (text: string): number => createHash("sha256").update(text).digest().readUInt32BE(0)

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** The person with a slug: always the same. A slug with `-2nd` is of second degree and accepts after `acceptAfter`. */
export const personOf = (slug: string, acceptAfter: number | null = 30_000): FakePerson => {
  const memberId = (hashNumber(slug) % 1_900_000_000) + 1_000_000
  const [first = "", ...rest] = slug.split("-")
  return {
    slug,
    profileToken: token(0x002a, memberId, slug),
    salesToken: token(0x002c, memberId, slug),
    memberId,
    firstName: capital(first),
    lastName: capital(rest.join(" ")),
    degree: slug.includes("-2nd") ? 2 : slug.includes("-3rd") ? 3 : 1,
    acceptAfter
  }
}

/** The world, and the few moves that change it. */
export class World {
  readonly accounts = new Map<string, FakeAccount>()
  readonly people = new Map<string, FakePerson>()
  readonly chats: Array<FakeChat> = []
  readonly messages: Array<FakeMessage> = []
  readonly invitations: Array<FakeInvitation> = []
  readonly relations: Array<{ readonly accountId: string; readonly slug: string; readonly at: number }> = []
  readonly ledger: Array<AcceptedSend> = []
  limits: FakeLimits = {}
  private count = 0
  private readonly clock: () => number

  constructor(clock: () => number) {
    this.clock = clock
  }

  now(): number {
    return this.clock()
  }

  nextId(prefix: string): string {
    this.count += 1
    return `${prefix}_${String(this.count).padStart(8, "0")}`
  }

  addAccount(id: string, features: FakeAccount["features"] = ["sales_navigator"]): FakeAccount {
    const providerId = token(0x002a, (hashNumber(id) % 1_000_000) + 1_000, id)
    const account: FakeAccount = { id, name: `Owner of ${id}`, providerId, features, status: "OK" }
    this.accounts.set(id, account)
    return account
  }

  addPerson(slug: string, acceptAfter?: number | null): FakePerson {
    const person = personOf(slug, acceptAfter)
    this.people.set(slug, person)
    return person
  }

  /** By public id, either token, or member id. People of a name that was never heard of do not exist. */
  find(id: string): FakePerson | undefined {
    const direct = this.people.get(id.toLowerCase())
    if (direct !== undefined) return direct
    for (const person of this.people.values()) {
      if (person.profileToken === id || person.salesToken === id) return person
    }
    return undefined
  }

  isConnected(accountId: string, person: FakePerson): boolean {
    this.settle()
    return person.degree === 1 || this.relations.some((one) => one.accountId === accountId && one.slug === person.slug)
  }

  pendingInvitation(accountId: string, slug: string): FakeInvitation | undefined {
    this.settle()
    return this.invitations.find((one) => one.accountId === accountId && one.slug === slug && one.status === "PENDING")
  }

  /** Lets the time that passed have its effect; answers the invitations that were accepted just now. */
  settle(): ReadonlyArray<FakeInvitation> {
    const due = this.invitations.filter((one) => {
      const acceptAfter = this.people.get(one.slug)?.acceptAfter ?? null
      return one.status === "PENDING" && acceptAfter !== null && this.now() >= one.at + acceptAfter
    })
    for (const one of due) {
      one.status = "ACCEPTED"
      const at = one.at + (this.people.get(one.slug)?.acceptAfter ?? 0)
      this.relations.unshift({ accountId: one.accountId, slug: one.slug, at })
      this.accepted.push(one)
    }
    return due
  }

  /** Accepted invitations of which no webhook was sent yet. */
  readonly accepted: Array<FakeInvitation> = []

  isOverLimit(accountId: string, kind: AcceptedSend["kind"]): boolean {
    const most = kind === "message" ? this.limits.messages : this.limits.invitations
    const since = this.now() - 86_400_000
    const recent = this.ledger.filter((one) => one.accountId === accountId && one.kind === kind && one.at > since)
    return most !== undefined && recent.length >= most
  }

  chatWith(accountId: string, slug: string): FakeChat | undefined {
    return this.chats.find((chat) => chat.accountId === accountId && chat.slug === slug)
  }

  openChat(accountId: string, slug: string): FakeChat {
    const known = this.chatWith(accountId, slug)
    if (known !== undefined) return known
    const chat: FakeChat = { id: this.nextId("chat"), accountId, slug, timestamp: this.now() }
    this.chats.push(chat)
    return chat
  }

  /** Puts a message into a conversation; `own` ones go to the ledger. */
  write(chat: FakeChat, text: string, own: boolean): FakeMessage {
    const account = this.accounts.get(chat.accountId)
    const person = this.people.get(chat.slug)
    const senderId = (own ? account?.providerId : person?.profileToken) ?? ""
    const at = this.now()
    const message = { id: this.nextId("msg"), chatId: chat.id, accountId: chat.accountId, senderId, text, at, own }
    chat.timestamp = at
    this.messages.push(message)
    if (own) this.record(chat.accountId, chat.slug, "message", text)
    return message
  }

  invite(accountId: string, slug: string, note: string | null): FakeInvitation {
    const at = this.now()
    const invitation: FakeInvitation = { id: this.nextId("inv"), accountId, slug, note, at, status: "PENDING" }
    this.invitations.push(invitation)
    this.record(accountId, slug, "invitation", note)
    return invitation
  }

  private record(accountId: string, slug: string, kind: AcceptedSend["kind"], text: string | null): void {
    this.ledger.push({ sequence: this.ledger.length + 1, accountId, slug, kind, text, at: this.now() })
  }
}
