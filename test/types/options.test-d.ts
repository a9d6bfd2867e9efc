/** Options of `createSvc()` in a strict host, with `exactOptionalPropertyTypes`. */
import { type CallerRequest, createSvc, type Svc } from "@svc/embed"
import { describe, it } from "vitest"

declare const url: string | undefined

interface FrameworkRequest {
  readonly user?: { readonly id: string }
}

describe("options", () => {
  it("take what the host's environment may lack", () => {
    createSvc({ databaseUrl: url, publicUrl: url, organization: url, settings: { smtp: url } })
    // @ts-expect-error a URL is a text
    createSvc({ databaseUrl: null })
  })

  it("take a caller that may be nobody, in the ways that hosts write it", () => {
    createSvc({ callerOf: ({ headers }) => headers["x-user"] && { userId: headers["x-user"] } })
    createSvc({ callerOf: async ({ headers }) => (headers["x-user"] === "ada" ? { userId: "ada" } : null) })
    createSvc({ defaultScopes: ["leads:read"] })
    // @ts-expect-error there is no such scope
    createSvc({ defaultScopes: ["lead:read"] })
    createSvc({ auth: ["keys", ({ method }) => method === "GET" && {}] })
    // @ts-expect-error an actor is an object
    createSvc({ callerOf: ({ headers }) => headers["x-user"] })
  })

  it("take a caller that asks the service itself, which is then declared with its type", async () => {
    const svc: Svc = await createSvc({
      callerOf: async ({ headers }) =>
        headers["x-company"] && {
          organizationId: (await svc.organizations.ensure({ externalId: headers["x-company"] })).id
        }
    })
  })

  it("take a caller of the framework's request", () => {
    const callerOf = ({ source }: CallerRequest<FrameworkRequest>) => source.user && { userId: source.user.id }
    createSvc({ callerOf })
    createSvc({ auth: ["keys", callerOf] })
    // @ts-expect-error a request is no text
    createSvc({ callerOf: (request: string) => ({ userId: request }) })
  })
})
