/** E-mail over SMTP. */

export { parseSmtpUrl, type SmtpTarget } from "./SmtpUrl.ts"
export { smtpEmailLayer } from "./smtpEmailLayer.ts"
