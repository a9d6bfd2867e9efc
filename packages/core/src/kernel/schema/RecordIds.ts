/**
 * Types of ids and instants, so that no function can be called with two of them swapped.
 *
 * All are plain strings at run time. A plain string (a literal in a test, a database column) is assignable to every kind;
 * a string of one kind is not assignable to another.
 */
declare const kind: unique symbol

/** A string of one kind. */
export type TextOf<Kind extends string> = string & { readonly [kind]?: Kind }

/** The kind of record for each id prefix. */
export interface IdKinds {
  readonly org: "organization"
  readonly usr: "user"
  readonly key: "key"
  readonly off: "offer"
  readonly agt: "agent"
  readonly ld: "lead"
  readonly mis: "mission"
  readonly imp: "import"
  readonly drf: "draft"
  readonly que: "queue item"
  readonly msg: "message"
  readonly nte: "note"
  readonly acc: "account"
  readonly evt: "event"
  readonly aud: "audit row"
  readonly apr: "approval request"
  readonly whk: "webhook"
  readonly whd: "delivery"
  readonly eml: "e-mail"
  readonly inv: "invitation"
  readonly use: "use of an account"
}

/** The prefix of an id. */
export type IdPrefix = keyof IdKinds

/** An id by its prefix, such as `IdOf<"ld">`. */
export type IdOf<Prefix extends IdPrefix> = TextOf<IdKinds[Prefix]>

export type OrganizationId = IdOf<"org">
export type UserId = IdOf<"usr">
export type KeyId = IdOf<"key">
export type OfferId = IdOf<"off">
export type AgentId = IdOf<"agt">
export type LeadId = IdOf<"ld">
export type MissionId = IdOf<"mis">
export type ImportId = IdOf<"imp">
export type DraftId = IdOf<"drf">
export type QueueItemId = IdOf<"que">
export type MessageId = IdOf<"msg">
export type AccountId = IdOf<"acc">
export type EventId = IdOf<"evt">
export type WebhookId = IdOf<"whk">
export type DeliveryId = IdOf<"whd">
export type EmailId = IdOf<"eml">
export type InvitationId = IdOf<"inv">
/** Anything that uses an account's limits: a queued message, an invitation, or another use. */
export type TurnId = QueueItemId | InvitationId | IdOf<"use">
export type CommandId = TextOf<"command">

/** An instant as the API writes it: ISO 8601 in UTC with milliseconds and `Z`. It sorts as text. */
export type InstantText = TextOf<"instant">
