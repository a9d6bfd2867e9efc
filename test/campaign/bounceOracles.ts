/**
 * Bounces as others recognize them: the samples of python3-flufl.bounce with its verdicts, and Sisimai's reasons for those and for
 * the bounces of this campaign. `SVC_TEST_BOUNCES` names a folder with more mails (.eml).
 *
 * Leaked: a bounce or an automatic answer that is taken for a letter. Lost: a bounce that is not recognized.
 */
import { existsSync } from "node:fs"
import { readdir, readFile, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import * as Effect from "effect/Effect"
import { MailReader } from "#core/email/InboundMail.ts"
import { classifyMail, type MailMeaning } from "#core/email/inbound/classifyMail.ts"
import { mailReaderLayer } from "#providers/imap/readMail.ts"
import { openFolder, succeeded } from "../support/mail/daemon.ts"
import type { Tally } from "./Tally.ts"

const samples = "/usr/lib/python3/dist-packages/flufl/bounce/tests/data"

/** Samples that are no bounces of an address that does not exist, whatever folder they are in. */
const noBounces: ReadonlyMap<string, string> = new Map([
  ["groupwise_03.txt", "a person's mail, which the library must read without failing"],
  ["microsoft_03.txt", "a mailing list holds the mail for its moderator"],
  ["lhost-amazonses-09.eml", "a notification of a bounce to a subscriber, in JSON"],
  ["lhost-amazonses-10.eml", "the same"],
  ["lhost-exim-37.eml", "it is the sender's domain that does not exist"],
  ["lhost-sendmail-14.eml", "a person forwards a bounce"]
])

/** Sisimai's reasons for addresses that do not exist. */
const hardReasons: ReadonlySet<string> = new Set(["userunknown", "hostunknown", "hasmoved"])

/** Percent of hard bounces that must be recognized. */
const goal = 98

const fluflScript = `
import os, sys
from email import message_from_binary_file
from flufl.bounce import all_failures
for name in sorted(os.listdir(sys.argv[1])):
    if name.endswith(".txt"):
        with open(os.path.join(sys.argv[1], name), "rb") as file:
            print(name, len(all_failures(message_from_binary_file(file))[1]), sep="\\t")
`

const sisimaiScript = `
use Sisimai;
binmode(STDOUT, ":utf8");
for my $file (@ARGV) {
  my $found = eval { Sisimai->make($file, delivered => 1) };
  my %reasons = map { $_->reason => 1 } @{ $found // [] };
  print join("\\t", $file, join(",", sort keys %reasons)), "\\n";
}
`

const rows = (text: string): ReadonlyArray<readonly [string, string]> =>
  text.split("\n").flatMap((line) => {
    const [name, value] = line.split("\t")
    return name && value !== undefined ? [[name, value] as const] : []
  })

/** What a mail is. */
const meaningOf = (source: Uint8Array): Promise<MailMeaning> =>
  Effect.runPromise(
    Effect.map(
      Effect.flatMap(MailReader, ({ read }) => read(source)),
      (mail) => classifyMail(mail, new Date().toISOString())
    ).pipe(Effect.provide(mailReaderLayer))
  )

const shown = (meaning: MailMeaning): string => (meaning._tag === "Bounce" ? `Bounce ${meaning.kind}` : meaning._tag)

/** Compares the samples with the verdicts of flufl. */
const compareWithFlufl = async (tally: Tally): Promise<void> => {
  const verdicts = rows(await succeeded("/usr/bin/python3", ["-c", fluflScript, samples]))
  for (const [name, permanent] of verdicts) {
    tally.tried++
    if (noBounces.has(name)) continue
    const meaning = await meaningOf(await readFile(join(samples, name)))
    if (meaning._tag === "Letter") tally.add("leaked", `${name} is taken for a letter`)
    else if (permanent !== "0" && meaning._tag !== "Bounce")
      tally.add("lost", `${name} failed, and is taken for ${shown(meaning)}`)
  }
  tally.hit("samples of flufl", verdicts.length)
}

/** Counts how many of the hard bounces that Sisimai sees in mails are recognized. */
const compareWithSisimai = async (what: string, files: ReadonlyArray<string>, tally: Tally): Promise<void> => {
  const reasons = rows(await succeeded("perl", ["-e", sisimaiScript, ...files]))
  const hard = reasons.filter(([file, reason]) => hardReasons.has(reason) && !noBounces.has(basename(file)))
  let recognized = 0
  for (const [file, reason] of hard) {
    const meaning = await meaningOf(await readFile(file))
    if (meaning._tag === "Bounce" && meaning.kind === "hard") recognized++
    else console.error(`${file}: ${reason} for Sisimai, taken for ${shown(meaning)}`)
    if (meaning._tag === "Letter") tally.add("leaked", `${file} is taken for a letter`)
  }
  tally.hit(`hard bounces in ${what}`, hard.length)
  tally.hit(`recognized in ${what}`, recognized)
  const percent = hard.length === 0 ? 0 : (100 * recognized) / hard.length
  process.stdout.write(
    `Hard bounces in ${what}: ${recognized} of ${hard.length} recognized, ${percent.toFixed(1)} % (goal ${goal} %)\n`
  )
  if (percent < goal) tally.add("lost", `${percent.toFixed(1)} % of the hard bounces in ${what} are recognized`)
}

const mailsIn = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await readdir(folder)).filter((name) => /\.(?:eml|txt)$/.test(name)).map((name) => join(folder, name))

/** Why the oracles cannot be asked; undefined when they can. */
export const missingOracles = (): string | undefined =>
  existsSync(samples) && existsSync("/usr/share/perl5/Sisimai.pm")
    ? undefined
    : "python3-flufl.bounce or libsisimai-perl is not installed"

/** Asks them all. `generated` are the bounces of the campaign. */
export const askOracles = async (generated: ReadonlyArray<string>, tally: Tally): Promise<void> => {
  await compareWithFlufl(tally)
  const folder = await openFolder("bounces")
  try {
    for (const [index, source] of generated.entries()) await writeFile(join(folder.path, `${index}.eml`), source)
    await compareWithSisimai(
      "samples and generated",
      [...(await mailsIn(samples)), ...(await mailsIn(folder.path))],
      tally
    )
    const more = process.env["SVC_TEST_BOUNCES"]
    if (more !== undefined) await compareWithSisimai("SVC_TEST_BOUNCES", await mailsIn(more), tally)
  } finally {
    await folder.remove()
  }
}
