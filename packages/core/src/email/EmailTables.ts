/** Tables of e-mails in the in-memory store. */
import { table } from "../MemoryStore.ts"
import type { EmailRow } from "./EmailRow.ts"

/** E-mails by id. */
export const emails = table<EmailRow>("emails")

/** Organizations that ever wrote an e-mail, in the partition {@link everyone}. */
export const emailOrganizations = table<string>("email_organizations")

/** The partition of tables of all organizations. */
export const everyone = "*"
