/** What comes by mail and needs no key: mails of a host's own webhook, which are signed, and links for unsubscribing. */
import { InvalidInput, type OrganizationId } from "@svc/core"
import { inboundMailPath, MailReceiver } from "@svc/core/email"
import * as Effect from "effect/Effect"
import type { RateLimits } from "./RateLimits.ts"
import { defaultBodyLimit, readBytes } from "./RequestBody.ts"
import { openRoute, type Route } from "./Route.ts"
import { html, json, styledPage } from "./responses.ts"

const isOrganizationId = (text: string): text is OrganizationId => /^org_[\w-]{1,60}$/.test(text)

const style =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}" +
  "button{font:inherit;min-height:44px;padding:0 1.5rem}"

const unsubscribePage = styledPage(style, "no-referrer")

/** A page for people, which asks or answers. The link in it is no address: what it is opened with stays in the bar. */
const page = (text: string, asks: boolean, status = 200) =>
  unsubscribePage(
    "Unsubscribe",
    html`<p>${text}</p>${asks ? html`<form method="post"><button>Unsubscribe</button></form>` : undefined}`,
    { status, meta: html`<meta name="robots" content="noindex">` }
  )

/** GET shows a page with a button and changes nothing, as programs follow links; POST unsubscribes (RFC 8058). */
const unsubscribeRoutes = ({ presented }: RateLimits, receiver: MailReceiver["Service"]): ReadonlyArray<Route> => [
  openRoute("GET", "/unsubscribe/{token}", () =>
    Effect.succeed(page("You will get no more messages from this sender, on any channel.", true))
  ),
  openRoute("POST", "/unsubscribe/{token}", ({ params: { token = "" }, request }) =>
    presented("webhook", request, token, receiver.unsubscribe(token)).pipe(
      Effect.as(page("Done. You will get no more messages from this sender.", false)),
      Effect.catchIf(
        ({ code }) => code === "NOT_FOUND",
        ({ message }) => Effect.succeed(page(message, false, 404))
      )
    )
  )
]

/** The routes. */
export const mailRoutes = (rates: RateLimits): Effect.Effect<ReadonlyArray<Route>, never, MailReceiver> =>
  Effect.map(MailReceiver, (receiver) => [
    ...unsubscribeRoutes(rates, receiver),
    openRoute(
      "POST",
      inboundMailPath,
      Effect.fnUntraced(function* ({ request }) {
        const { headers } = request
        const organizationId = headers["svc-organization"] ?? ""
        if (!isOrganizationId(organizationId)) {
          return yield* new InvalidInput({
            message: "Svc-Organization: send the id of the organization, as email.inbound.get tells it."
          })
        }
        yield* rates.takeWebhook(organizationId)
        const source = yield* readBytes(request, defaultBodyLimit, "message/rfc822")
        const received = receiver.receive({
          organizationId,
          source,
          id: headers["webhook-id"] ?? "",
          timestamp: headers["webhook-timestamp"] ?? "",
          signature: headers["webhook-signature"] ?? ""
        })
        return json({ data: { received: yield* rates.presented("webhook", request, organizationId, received) } })
      })
    )
  ])
