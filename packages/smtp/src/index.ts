/** E-mail over SMTP. */
export * as SmtpEmail from "./SmtpEmail.ts"
export { parseSmtpUrl, type SmtpTarget } from "./SmtpUrl.ts"
