/** Applies a write to a mission: pure rules on fields. */
import * as Result from "effect/Result"
import * as Struct from "effect/Struct"

import { InvalidInput } from "../kernel/failure/failures.ts"
import { canonicalJson } from "../kernel/schema/Hash.ts"
import { written } from "../kernel/schema/snakeCase.ts"
import { Channel, type MissionContent, type MissionRow, type MissionView } from "./Mission.ts"
import { type BriefInput, type BriefWrite, briefFields, type MissionWrite } from "./MissionInput.ts"

/** The content of a new mission before the first write. */
export const emptyContent: MissionContent = {
  name: "",
  language: "en",
  agentId: null,
  offerId: null,
  objective: "",
  description: "",
  channels: ["EMAIL"],
  emailReviewStrategy: "MANUAL",
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

/** The content of a stored mission. */
export const contentOf = (row: MissionRow): MissionContent => Struct.pick(row, Struct.keys(emptyContent))

const refuse = (message: string): Result.Result<never, InvalidInput> => Result.fail(new InvalidInput({ message }))

/**
 * The content after a write, with the agent and offer that were looked up. Fails with INVALID_INPUT if e-mails are to be
 * reviewed by a webhook without a URL.
 */
export const applyWrite = (
  before: MissionContent,
  write: MissionWrite,
  links: Pick<MissionContent, "agentId" | "offerId">,
  spell: (field: string) => string
): Result.Result<MissionContent, InvalidInput> => {
  const content = written(
    before,
    {
      ...write,
      agent_id: links.agentId,
      offer_id: links.offerId,
      channels: Channel.literals.filter((channel) => (write.channels ?? before.channels).includes(channel)),
      who_are_they: write.target_audience,
      email_examples: write.example_messages
    },
    emptyContent
  )
  return content.emailReviewStrategy === "WEBHOOK" && content.emailReviewWebhookUrl === ""
    ? refuse(
        `${spell("email_review_webhook_url")} is required with ${spell("email_review_strategy")} WEBHOOK. Send the URL.`
      )
    : Result.succeed(content)
}

/**
 * Merges flat and nested brief fields into one write. Fails with INVALID_INPUT if a field is sent in both places with
 * different values.
 */
export const mergeBrief = <W extends BriefWrite>(
  flat: W,
  brief: BriefInput | undefined
): Result.Result<W, InvalidInput> => {
  const twice = Struct.keys(briefFields).filter(
    (name) =>
      flat[name] !== undefined &&
      brief?.[name] !== undefined &&
      canonicalJson(flat[name]) !== canonicalJson(brief[name])
  )
  if (twice.length > 0) {
    const both = twice.map((name) => `${name} and brief.${name}`).join(", ")
    return refuse(`${both} set the same field but differ. Send it in one place only.`)
  }
  const { offer_landing_page_url: _page, offer_name: _name, offer_summary: _summary, ...nested } = brief ?? {}
  return Result.succeed({ ...nested, ...flat })
}

/** Fails with INVALID_INPUT if a brief changes a text of its offer: such texts are shown, not stored. */
export const refuseOtherOfferTexts = (
  brief: BriefInput | undefined,
  offer: MissionView["offer"]
): Result.Result<void, InvalidInput> => {
  const shown = {
    offer_name: offer?.name ?? "",
    offer_summary: offer?.oneLiner ?? "",
    offer_landing_page_url: offer?.landingPageUrl ?? ""
  }
  const names = ["offer_name", "offer_summary", "offer_landing_page_url"] as const
  const other = names.find((name) => brief?.[name] !== undefined && (brief[name] ?? "") !== shown[name])
  return other === undefined
    ? Result.succeed(undefined)
    : refuse(
        `brief.${other} is a text of the linked offer and is not stored in the mission. Leave it out, or change the ` +
          "offer with offer.update."
      )
}
