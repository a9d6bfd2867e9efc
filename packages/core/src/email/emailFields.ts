/** Input fields that several e-mail commands share. */
import * as Schema from "effect/Schema"
import { body, line, nonEmptyBody, nonEmptyLine } from "../TextFields.ts"
import { emailStates } from "./EmailRow.ts"

/** Id of an e-mail. */
export const EmailIdText = nonEmptyLine(64, "Id of the e-mail")

/** A subject: one line. */
export const SubjectText = nonEmptyLine(200, "Subject, one line")

/** The text of an e-mail. */
export const BodyText = nonEmptyBody(20_000, "Text of the e-mail")

/** The HTML form of an e-mail. */
export const BodyHtml = body(50_000, "The same as HTML, for programs that show it; leave it out for text alone")

/** Why something was decided. */
export const ReasonText = line(500, "Why, for whoever looks later")

/** Input field `state` of lists. */
export const EmailStates = Schema.Array(Schema.Literals(emailStates)).check(Schema.isMaxLength(emailStates.length))
