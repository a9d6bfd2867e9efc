/** Ids and instants of different kinds cannot be swapped. */
import type { DraftId, InstantText, LeadId, MissionId, OfferId, OrganizationId, UserId } from "@svc/core"
import type { LeadRow } from "@svc/core/leads"
import type { OffersRepo } from "@svc/core/offers"
import type { DraftRow } from "@svc/core/outreach"
import type { HostActor, Svc } from "@svc/embed"
import { describe, expectTypeOf, it } from "vitest"

declare const organizationId: OrganizationId
declare const offerId: OfferId
declare const userId: UserId
declare const repo: OffersRepo["Service"]

describe("an id", () => {
  it("fits its own kind alone, and text of unknown kind fits all", () => {
    expectTypeOf<DraftId>().not.toExtend<LeadId>()
    expectTypeOf<LeadId>().not.toExtend<MissionId>()
    expectTypeOf<LeadId>().not.toExtend<InstantText>()
    expectTypeOf<"ld_1">().toExtend<LeadId>()
    expectTypeOf<LeadId>().toExtend<string>()
  })

  it("has its kind from where it comes", () => {
    expectTypeOf<LeadRow["id"]>().toEqualTypeOf<LeadId>()
    expectTypeOf<LeadRow["organizationId"]>().toEqualTypeOf<OrganizationId>()
    expectTypeOf<DraftRow["leadId"]>().toEqualTypeOf<LeadId>()
    expectTypeOf<Svc["createOrganization"]>()
      .returns.resolves.toHaveProperty("organizationId")
      .toEqualTypeOf<OrganizationId>()
  })
})

describe("a function of two ids", () => {
  it("takes them in their order only", () => {
    repo.find(organizationId, offerId)
    // @ts-expect-error the ids are swapped
    repo.find(offerId, organizationId)
    expectTypeOf({ organizationId, userId }).toExtend<HostActor>()
    expectTypeOf({ organizationId: userId, userId: organizationId }).not.toExtend<HostActor>()
  })
})
