/** Generators and builders that the tests of this folder share. */
import { Buffer } from "node:buffer"
import * as fc from "fast-check"

/** The tags with the kind each stands for. */
export const tokenTags = [
  { tag: 0x2a, kind: "profile_token" },
  { tag: 0x2c, kind: "sales_nav_token" },
  { tag: 0x43, kind: "recruiter_token" }
] as const

/** Encodes a member token from its parts, independently of the decoder under test. */
export const makeToken = (tag: number, memberId: bigint, rest: Uint8Array, marker = 1): string => {
  const bytes = Buffer.alloc(29)
  bytes.writeUInt16BE(tag, 0)
  bytes.writeUIntBE(Number(memberId), 2, 6)
  bytes[8] = marker
  bytes.set(rest, 9)
  return bytes.toString("base64url")
}

/** A token of member `memberId` with a signature that differs by `salt`. */
export const tokenOf = (tag: number, memberId: number, salt = 0): string =>
  makeToken(tag, BigInt(memberId), new Uint8Array(20).fill(salt))

/** Any string a careless or hostile caller may send: surrogate halves, escapes, fragments of addresses. */
export const garbage: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)), maxLength: 100 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ..."https:// http: // linkedin.com www. m. uk. / in/ pub/ sales/lead/ sales/people/ profile/view?id= urn:li:member: urn:li:fsd_profile: urn:li:fs_salesProfile:( , ) % %2C %252F %C3%A9 %E9 ? # @ < > mailto: ACoAA ACwAA . .. + \\ ada 0 127.1 ☃ é".split(
            " "
          ),
          " ",
          "\u0000",
          "\u200B",
          "\uD800",
          "\u202E"
        ),
        fc.string({ maxLength: 4 })
      ),
      { maxLength: 20 }
    )
    .map((parts) => parts.join(""))
)

/** Strings of about 50 kB, each the worst case of some way of reading them. */
export const hugeStrings: ReadonlyArray<string> = [
  "a",
  "/",
  "%",
  "%25",
  "%41",
  "@",
  "<",
  ">",
  " ",
  "\t",
  '"',
  ".",
  "+",
  ",",
  "?",
  "#",
  ":",
  "\\",
  "\u200B",
  "\uD800",
  "é",
  "e\u0301",
  "\u0301",
  "ﷺ",
  "https://",
  "http:/",
  "linkedin:",
  "in/",
  "urn:li:member:",
  "1",
  "ACoAA",
  "mailto:",
  "<a@b.de>",
  " x"
].flatMap((unit) => {
  const body = unit.repeat(Math.floor(50_000 / unit.length))
  return [
    body,
    `${body}x`,
    `x${body}`,
    `https://www.linkedin.com/in/${body}`,
    `https://www.linkedin.com/pub/${body}`,
    `https://www.linkedin.com/sales/lead/${body}`,
    `https://www.linkedin.com/profile/view?id=${body}`,
    `urn:li:fs_salesProfile:(${body})`,
    `ada@${body}`,
    `${body}@example.com`,
    `${body}<ada@example.com>`
  ]
})
