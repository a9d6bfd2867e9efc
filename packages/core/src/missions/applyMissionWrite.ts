/** What a mission is after a write: pure rules on fields. Source: G2, G3, G31; catalogue 4.1 (brief flat or nested). */
import * as Result from "effect/Result"
import { type Failure, fail } from "../Failure.ts"
import { canonicalJson } from "../Hash.ts"
import { Channel, type MissionContent, type MissionRow, type MissionView } from "./Mission.ts"
import { type BriefInput, type BriefWrite, briefNames, type MissionWrite } from "./MissionInput.ts"

/** A mission that says nothing yet. */
export const emptyContent: MissionContent = {
  name: "",
  language: "en",
  agentId: null,
  offerId: null,
  objective: "",
  description: "",
  channels: ["EMAIL"],
  emailReviewStrategy: "AUTO",
  emailReviewWebhookUrl: "",
  importType: "CSV",
  whoAreThey: "",
  whyWeContactThem: "",
  desiredAction: "",
  keyMessage: "",
  ctaUrl: "",
  toneInstructions: "",
  emailExamples: []
}

/** The content of a stored mission, alone. */
export const contentOf = (row: MissionRow): MissionContent => {
  const {
    id: _id,
    organizationId: _organization,
    handle: _handle,
    status: _status,
    beforeArchive: _before,
    lastUsedAt: _used,
    createdAt: _created,
    updatedAt: _updated,
    ...content
  } = row
  return content
}

const textAfter = (before: string, written: string | null | undefined): string =>
  written === undefined ? before : (written ?? "")

/**
 * Content after a write, with agent and offer as they were looked up. Fails with INVALID_INPUT when e-mails should be
 * reviewed at a webhook that has no address.
 */
export const applyWrite = (
  before: MissionContent,
  write: MissionWrite,
  links: Pick<MissionContent, "agentId" | "offerId">
): Result.Result<MissionContent, Failure> => {
  const content: MissionContent = {
    ...links,
    name: write.name ?? before.name,
    language: write.language ?? before.language,
    objective: textAfter(before.objective, write.objective),
    description: textAfter(before.description, write.description),
    channels: Channel.literals.filter((channel) => (write.channels ?? before.channels).includes(channel)),
    emailReviewStrategy: write.emailReviewStrategy ?? before.emailReviewStrategy,
    emailReviewWebhookUrl: textAfter(before.emailReviewWebhookUrl, write.emailReviewWebhookUrl),
    importType: write.importType ?? before.importType,
    whoAreThey: textAfter(before.whoAreThey, write.whoAreThey),
    whyWeContactThem: textAfter(before.whyWeContactThem, write.whyWeContactThem),
    desiredAction: textAfter(before.desiredAction, write.desiredAction),
    keyMessage: textAfter(before.keyMessage, write.keyMessage),
    ctaUrl: textAfter(before.ctaUrl, write.ctaUrl),
    toneInstructions: textAfter(before.toneInstructions, write.toneInstructions),
    emailExamples: write.emailExamples ?? before.emailExamples
  }
  if (content.emailReviewStrategy === "WEBHOOK" && content.emailReviewWebhookUrl === "") {
    return Result.fail(
      fail("INVALID_INPUT", "emailReviewWebhookUrl is required with emailReviewStrategy WEBHOOK; add the address.")
    )
  }
  return Result.succeed(content)
}

/**
 * Brief fields sent flat and nested, as one write. Fails with INVALID_INPUT when a field is sent in both places with
 * different values.
 */
export const mergeBrief = (flat: BriefWrite, brief: BriefInput | undefined): Result.Result<MissionWrite, Failure> => {
  const twice = briefNames.filter(
    (name) =>
      flat[name] !== undefined &&
      brief?.[name] !== undefined &&
      canonicalJson(flat[name]) !== canonicalJson(brief[name])
  )
  if (twice.length > 0) {
    const both = twice.map((name) => `${name} and brief.${name}`).join(", ")
    return Result.fail(fail("INVALID_INPUT", `${both} name one field and differ. Send it in one place only.`))
  }
  const { description, target_audience, desired_action, cta_url, tone_instructions, example_messages, offer_id } = {
    ...brief,
    ...flat
  }
  return Result.succeed({
    ...(description === undefined ? {} : { description }),
    ...(target_audience === undefined ? {} : { whoAreThey: target_audience }),
    ...(desired_action === undefined ? {} : { desiredAction: desired_action }),
    ...(cta_url === undefined ? {} : { ctaUrl: cta_url }),
    ...(tone_instructions === undefined ? {} : { toneInstructions: tone_instructions }),
    ...(example_messages === undefined ? {} : { emailExamples: example_messages }),
    ...(offer_id === undefined ? {} : { offerId: offer_id })
  })
}

/** Fails with INVALID_INPUT when a brief says of its offer what the offer does not: it is shown there, not kept. */
export const refuseOtherOfferTexts = (
  brief: BriefInput | undefined,
  offer: MissionView["offer"]
): Result.Result<void, Failure> => {
  const shown = {
    offer_name: offer?.name ?? "",
    offer_summary: offer?.oneLiner ?? "",
    offer_landing_page_url: offer?.landingPageUrl ?? ""
  }
  const names = ["offer_name", "offer_summary", "offer_landing_page_url"] as const
  const other = names.find((name) => brief?.[name] !== undefined && (brief[name] ?? "") !== shown[name])
  return other === undefined
    ? Result.succeed(undefined)
    : Result.fail(
        fail(
          "INVALID_INPUT",
          `brief.${other} shows a text of the linked offer and is not kept in the mission. Leave it out, or change the offer with offer.update.`
        )
      )
}
