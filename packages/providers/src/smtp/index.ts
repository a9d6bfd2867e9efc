/** E-mail over SMTP. */

export type { DkimKey } from "./message.ts"
export { smtpEmailLayer } from "./SmtpEmail.ts"
export { parseSmtpUrl, type SmtpTarget } from "./SmtpUrl.ts"
