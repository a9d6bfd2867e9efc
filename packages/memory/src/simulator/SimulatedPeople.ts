/**
 * The people of the simulated LinkedIn: every audience has its own, always the same.
 *
 * Every third person is a second-degree contact (their public slug ends in `-2nd`), so a demonstration sees messages
 * that are sent and messages that wait.
 */
import { createHash } from "node:crypto"
import type { InvalidInput } from "@svc/core"
import { fingerprint } from "@svc/core/imports"
import {
  linkedInFingerprint,
  linkedInResultsPerPage,
  parseLinkedInSearchUrl,
  parseSalesNavUrl,
  profileUrl,
  resultsPerPage
} from "@svc/core/internal"
import type { Identity } from "@svc/core/leads"
import type { FoundPerson, NamedPerson, NotAPeopleSearch } from "@svc/core/outreach"
import * as Result from "effect/Result"

/** The size of an audience without a `sim-N` keyword. */
const defaultAudienceSize = 60

/** The most that Sales Navigator shows of any audience. */
const maxAudienceSize = 2_500

const pick = (list: ReadonlyArray<string>, byte: number | undefined): string => list[(byte ?? 0) % list.length] ?? ""

const words = {
  first:
    "Ada Amara Anouk Bilal Camille Chen Daniela Elif Emeka Farah Giulia Hana Ines Jonas Kofi Leila Mateo Nadia Oskar Priya Rafael Sofia Tariq Yuki".split(
      " "
    ),
  last: "Abara Andersen Bianchi Castro Demir Eriksen Fischer Garcia Haddad Ivanova Jansen Kaya Lindqvist Moreau Nakamura Okafor Petrov Quispe Rossi Silva Tanaka Urban Varga Weber".split(
    " "
  ),
  job: "Head of Sales|Chief Financial Officer|Founder|VP Marketing|Operations Director|Product Lead|Head of Finance|Sales Manager".split(
    "|"
  ),
  company:
    "Northwind Foods|Blue Harbor Logistics|Fennel Software|Copperline Energy|Oakridge Clinics|Marlow Textiles|Pinecrest Labs|Vantage Freight".split(
      "|"
    ),
  place:
    "Berlin, Germany|Lyon, France|Lagos, Nigeria|Austin, Texas, United States|Milan, Italy|Osaka, Japan|Lima, Peru|Leeds, England".split(
      "|"
    )
}

const tokenOf = (tag: number, memberId: number, seed: Buffer): string => {
  const bytes = Buffer.alloc(29)
  bytes.writeUInt16BE(tag, 0)
  bytes.writeUInt32BE(memberId, 4)
  bytes[8] = 1
  seed.copy(bytes, 9, 0, 20)
  return bytes.toString("base64url")
}

/** How many people an audience has: 60, or N where a keyword is `sim-N` (0 to 2,500). */
export const audienceSize = (keywords: string): number => {
  for (const word of keywords.slice(0, 1_000).split(" ")) {
    const digits = word.startsWith("sim-") ? word.slice(4) : ""
    if (/^[0-9]{1,6}$/.test(digits)) return Math.min(Number(digits), maxAudienceSize)
  }
  return defaultAudienceSize
}

/** The person at a place (from 0) of the audience with this fingerprint. */
export const personAt = (fingerprint: string, place: number): FoundPerson => {
  const seed = createHash("sha256").update(`${fingerprint}/${place}`).digest()
  const memberId = (seed.readUInt32BE(20) % 1_900_000_000) + 1_000_000
  const firstName = pick(words.first, seed[24])
  const lastName = pick(words.last, seed[25])
  const jobTitle = pick(words.job, seed[26])
  const company = pick(words.company, seed[27])
  const near = place % 3 !== 2
  const slug = `${firstName}-${lastName}-${seed.toString("hex", 0, 4)}${near ? "" : "-2nd"}`.toLowerCase()
  return {
    ...(near ? { profileToken: tokenOf(0x002a, memberId, seed) } : {}),
    salesNavToken: tokenOf(0x002c, memberId, seed),
    memberId: String(memberId),
    publicSlug: slug,
    firstName,
    lastName,
    headline: `${jobTitle} at ${company}`,
    jobTitle,
    company,
    location: pick(words.place, seed[28]),
    profileUrl: `https://www.linkedin.com/in/${slug}`,
    pictureUrl: null,
    degree: near ? 1 : 2
  }
}

/** The same person as LinkedIn's own search shows them: with a profile token and no Sales Navigator token. */
const memberAt = (fingerprint: string, place: number): FoundPerson => {
  const seed = createHash("sha256").update(`${fingerprint}/${place}`).digest()
  const { salesNavToken: _, ...person } = personAt(fingerprint, place)
  return { ...person, profileToken: tokenOf(0x002a, Number(person.memberId), seed) }
}

/** An audience. `page` is the one in the URL, from 1. */
interface SimulatedAudience {
  readonly keywords: string
  readonly page: number
  readonly pageSize: number
  readonly personAt: (place: number) => FoundPerson
}

/** The audience of a LinkedIn or Sales Navigator search. Fails as parsing the URL does. */
export const simulatedAudience = (url: string): Result.Result<SimulatedAudience, InvalidInput | NotAPeopleSearch> => {
  const classic = parseLinkedInSearchUrl(url)
  if (Result.isSuccess(classic)) {
    const { keywords, page } = classic.success
    const audience = linkedInFingerprint(classic.success)
    return Result.succeed({
      keywords: keywords ?? "",
      page,
      pageSize: linkedInResultsPerPage,
      personAt: (place) => memberAt(audience, place)
    })
  }
  return Result.map(parseSalesNavUrl(url), (search) => {
    const audience = fingerprint(search)
    return {
      keywords: search.keywords ?? "",
      page: search.page,
      pageSize: resultsPerPage,
      personAt: (place) => personAt(audience, place)
    }
  })
}

/** The person with these identities, whose name is in the public slug. */
export const personNamed = (identities: ReadonlyArray<Identity>): NamedPerson => {
  const slug = identities.find(({ kind }) => kind === "slug")?.value
  const words = (slug ?? "somebody").split("-").map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
  return {
    providerId: `sim-${slug ?? identities[0]?.value ?? "somebody"}`,
    identities,
    fullName: words.join(" "),
    profileUrl: slug === undefined ? null : profileUrl(slug),
    pictureUrl: null
  }
}
