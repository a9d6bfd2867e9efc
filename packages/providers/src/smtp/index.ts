/** E-mail over SMTP. */

export { smtpEmailLayer } from "./SmtpEmail.ts"
export { parseSmtpUrl, type SmtpTarget } from "./SmtpUrl.ts"
