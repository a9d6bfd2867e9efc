import { type Failure, optionalPackage } from "@svc/core"
import type { EmailGateway } from "@svc/core/email"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { loadConnection } from "./nodemailer.ts"
import { layer } from "./SmtpEmail.ts"
import type { SmtpTarget } from "./SmtpUrl.ts"

/** {@link EmailGateway} over SMTP. Loads nodemailer; fails with UNAVAILABLE when that is not installed. */
export const smtpEmailLayer = (target: SmtpTarget): Layer.Layer<EmailGateway, Failure> =>
  Layer.unwrap(Effect.map(optionalPackage("nodemailer", "SVC_SMTP_URL", loadConnection), () => layer(target)))
