/** Skills as the protocol serves them: a file each, with its digest. */
import { createHash } from "node:crypto"
import type { Params } from "../JsonRpc.ts"
import type { Toolbox } from "../Toolbox.ts"
import type { Toolset } from "../toolsets.ts"
import { type SkillText, skillTexts } from "./texts.ts"

const mimeType = "text/markdown"

const uriOf = ({ name }: SkillText): string => `skill://svc/${name}/SKILL.md`

/** Strings of JSON are strings of YAML. */
const fileOf = ({ body, description, name }: SkillText): string =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}`

const entryOf = (skill: SkillText): Params => {
  const { description, name } = skill
  const file = Buffer.from(fileOf(skill))
  const digest = `sha256:${createHash("sha256").update(file).digest("hex")}`
  return {
    uri: uriOf(skill),
    frontmatter: { name, description },
    resources: [{ uri: uriOf(skill), digest, size: file.length }]
  }
}

/** The skills of a toolset: those whose commands it has. The default one runs any command. */
export const skillsFor = (toolset: Toolset, { find }: Toolbox): ReadonlyArray<SkillText> =>
  typeof toolset === "string"
    ? skillTexts
    : skillTexts.filter(({ needs }) => needs.every((id) => find(id) !== undefined))

const skillAt = (skills: ReadonlyArray<SkillText>, uri: string): SkillText | undefined =>
  skills.find((skill) => uriOf(skill) === uri)

/** Skills with their digests. */
export const skillEntries = (skills: ReadonlyArray<SkillText>): ReadonlyArray<Params> => skills.map(entryOf)

/** The skill with a URI; undefined if there is none. */
export const skillEntry = (skills: ReadonlyArray<SkillText>, uri: string): Params | undefined => {
  const skill = skillAt(skills, uri)
  return skill && entryOf(skill)
}

/** Files of skills, as resources. */
export const skillResources = (skills: ReadonlyArray<SkillText>): ReadonlyArray<Params> =>
  skills.map((skill) => {
    const { description, name } = skill
    return { uri: uriOf(skill), name, description, mimeType }
  })

/** The content of a file; undefined if there is none with this URI. */
export const skillContents = (skills: ReadonlyArray<SkillText>, uri: string): Params | undefined => {
  const skill = skillAt(skills, uri)
  return skill && { contents: [{ uri, mimeType, text: fileOf(skill) }] }
}
