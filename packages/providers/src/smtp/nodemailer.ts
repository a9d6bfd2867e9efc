/** Parts of nodemailer, loaded where they are used. */
import type MailComposer from "nodemailer/lib/mail-composer"
import type SMTPConnection from "nodemailer/lib/smtp-connection"

interface Loaded<A> {
  readonly default: A
}

/** Connections to mail servers. */
export const loadConnection = async (): Promise<Loaded<typeof SMTPConnection>> => {
  try {
    return await import("nodemailer/lib/smtp-connection")
  } catch (cause) {
    return Promise.reject(cause)
  }
}

/** Composes MIME messages. */
export const loadComposer = async (): Promise<Loaded<typeof MailComposer>> => {
  try {
    return await import("nodemailer/lib/mail-composer")
  } catch (cause) {
    return Promise.reject(cause)
  }
}
