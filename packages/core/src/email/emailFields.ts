/** Input fields that several e-mail commands share. */
import * as Schema from "effect/Schema"
import { body, line, nonEmptyBody, nonEmptyLine } from "../kernel/schema/TextFields.ts"
import { emailStates } from "../outreach/transmission/Transmission.ts"

/** Id of an e-mail. */
export const EmailIdText = nonEmptyLine(64, "Id of the email")

/** A subject: one line. */
export const SubjectText = nonEmptyLine(200, "Subject, one line")

/** The text of an e-mail. */
export const BodyText = nonEmptyBody(20_000, "Text of the email")

/** The HTML form of an e-mail. */
export const BodyHtml = body(50_000, "The text as HTML; omit for plain text only")

/** Why something was decided. */
export const ReasonText = line(500, "The reason, for later reference")

/** Input field `state` of lists. */
export const EmailStates = Schema.Array(Schema.Literals(emailStates)).check(Schema.isMaxLength(emailStates.length))
