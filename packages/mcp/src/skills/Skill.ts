/** Skills as the protocol serves them: a file each, with its digest. */
import { createHash } from "node:crypto"
import type { Params } from "../JsonRpc.ts"
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

const find = (uri: string): SkillText | undefined => skillTexts.find((skill) => uriOf(skill) === uri)

/** Every skill, with its digests. */
export const skillEntries = (): ReadonlyArray<Params> => skillTexts.map(entryOf)

/** The skill with a URI; undefined if there is none. */
export const skillEntry = (uri: string): Params | undefined => {
  const skill = find(uri)
  return skill && entryOf(skill)
}

/** Files of skills, as resources. */
export const skillResources: ReadonlyArray<Params> = skillTexts.map((skill) => {
  const { description, name } = skill
  return { uri: uriOf(skill), name, description, mimeType }
})

/** The content of a file; undefined if there is none with this URI. */
export const skillContents = (uri: string): Params | undefined => {
  const skill = find(uri)
  return skill && { contents: [{ uri, mimeType, text: fileOf(skill) }] }
}
