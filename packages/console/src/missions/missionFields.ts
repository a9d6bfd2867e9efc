/** The forms of a mission. Pure. */
import type { RestMission } from "@svc/core/missions"
import { area, choice, type Field, line, type Options, url, type Values } from "../form/values.ts"
import type { InputOf } from "../service/shapes.ts"
import { inputOf, newInputOf } from "./fields.ts"

/** What a mission can choose from. */
export interface Choices {
  readonly agents: Options
  readonly offers: Options
}

/** What can be chosen, with the current one, which a long list may lack. */
const options = (named: Options, current: string, none: string) => ({
  ...(none === "" ? {} : { "": none }),
  ...(current === "" ? {} : { [current]: current }),
  ...Object.fromEntries(named)
})

/** The fields of a mission: what it is made of, then its brief. */
export const missionFields = (
  { agents, offers }: Choices,
  { agentHandle, offerId }: Pick<RestMission, "agentHandle" | "offerId"> = { agentHandle: "", offerId: "" }
): ReadonlyArray<Field> => [
  line("name", "Name", { required: true, maxLength: 200 }),
  choice(
    "agent_handle",
    "Agent",
    options(agents, agentHandle, agentHandle === "" ? "None yet" : ""),
    "The sender persona. Without one the mission stays a draft."
  ),
  choice("offer_id", "Offer", options(offers, offerId, "None")),
  line("language", "Language", { required: true, hint: "A language tag, such as en or fr-FR." }),
  choice("channels", "Channels", { EMAIL: "Email", LINKEDIN: "LinkedIn", "EMAIL,LINKEDIN": "Email and LinkedIn" }),
  choice("email_review_strategy", "Review of emails", {
    MANUAL: "A person approves each email",
    WEBHOOK: "Your system approves them, by webhook",
    AUTO: "None: emails are sent without review"
  }),
  url("email_review_webhook_url", "Review webhook", { hint: "Required with review by webhook." }),
  area("objective", "Objective", 2),
  area("target_audience", "Audience", 3, { hint: "Role, company, situation." }),
  area("why_we_contact_them", "Why we contact them", 3),
  area("key_message", "Key message", 3),
  area("desired_action", "Desired action", 2, { hint: "For example: book a call." }),
  url("cta_url", "Link for the desired action"),
  area("tone_instructions", "Tone", 2),
  area("description", "Description", 4)
]

/** What the form of a new mission begins with. */
export const newMissionValues = ({ agents }: Choices): Values => ({
  agent_handle: agents[0]?.[0] ?? "",
  language: "en",
  channels: "LINKEDIN",
  email_review_strategy: "MANUAL"
})

type Input = Readonly<Record<string, unknown>>

const withChannels = ({ channels, ...input }: Input): Input =>
  channels === undefined ? input : { ...input, channels: String(channels).split(",") }

/** The change that a form asks for. */
export const missionChange = (
  id: string,
  fields: ReadonlyArray<Field>,
  changed: Values
): InputOf<"mission.update"> => ({
  mission_id: id,
  ...withChannels(inputOf(fields, changed))
})

/** The new mission that a form asks for. */
export const newMission = (fields: ReadonlyArray<Field>, values: Values) =>
  withChannels(newInputOf(fields, values)) as InputOf<"mission.create">
