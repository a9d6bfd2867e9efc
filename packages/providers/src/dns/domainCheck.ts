/** Whether a domain is set up for sending, by its records: SPF and DMARC as mailauth reads them, and DKIM by the published key. */
import { createPublicKey } from "node:crypto"
import { Resolver } from "node:dns/promises"
import { optionalPackage } from "@svc/core"
import { DomainCheck, type DomainFacts } from "@svc/core/email"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { DkimKey } from "../smtp/message.ts"

/** mailauth. Bundlers pass over an import that is awaited where its failure is caught. */
const loadChecks = async () => {
  try {
    const { dmarc, spf } = await import("mailauth")
    return { dmarc, spf }
  } catch (cause) {
    return Promise.reject(cause)
  }
}

type Facts = Omit<DomainFacts, "checked_at">
type Verdict = Facts["spf"]

/** The most time for all records of a domain. */
const deadline = "8 seconds"

/** What is said of each verdict that needs a change. */
const problems: Readonly<Record<"spf" | "dkim" | "dmarc", Partial<Readonly<Record<Verdict, string>>>>> = {
  spf: {
    missing: "Publish an SPF record that names the mail server: a TXT record v=spf1 … ~all.",
    fail: "Correct the SPF record: it is invalid, or there are several."
  },
  dkim: {
    missing: "Publish the public key of DKIM at SELECTOR._domainkey as a TXT record.",
    fail: "Correct the DKIM record: it has another key than this service signs with."
  },
  dmarc: {
    missing: "Publish a DMARC record: a TXT record v=DMARC1; p=none at _dmarc.",
    fail: "Correct the DMARC record: it is invalid."
  }
}

/** The verdict of a result of mailauth. */
const verdictOf = (result: string | undefined): Verdict => {
  if (result === "none" || result === undefined) return "missing"
  if (result === "permerror") return "fail"
  return result === "temperror" ? "unknown" : "pass"
}

const isNotFound = (error: unknown): boolean => ["ENOTFOUND", "ENODATA"].includes(String(Object(error).code))

/** The public part of the key, as it is published: Base64 of its DER form. */
const publishedKey = ({ key }: DkimKey): string =>
  createPublicKey(Redacted.value(key)).export({ type: "spki", format: "der" }).toString("base64")

const dkimOf = async (resolver: Resolver, domain: string, dkim: DkimKey | undefined): Promise<Verdict> => {
  if (dkim === undefined) return "unknown"
  try {
    const records = await resolver.resolveTxt(`${dkim.selector}._domainkey.${domain}`)
    const keys = records.map((parts) => /(?:^|;)\s*p=([^;]*)/.exec(parts.join(""))?.[1]?.replace(/\s/g, ""))
    return keys.includes(publishedKey(dkim)) ? "pass" : "fail"
  } catch (error) {
    return isNotFound(error) ? "missing" : "unknown"
  }
}

/** Answers of the DNS as mailauth asks for them. */
const recordsOf =
  (resolver: Resolver) =>
  (name: string, type: string): Promise<Array<Array<string>> | Array<string>> =>
    type === "TXT" ? resolver.resolveTxt(name) : (resolver.resolve(name, type) as Promise<Array<string>>)

const unknown: Pick<Facts, "spf" | "dkim" | "dmarc"> = { spf: "unknown", dkim: "unknown", dmarc: "unknown" }

/** An address of the documentation (RFC 5737), from which nobody may send: only whether the record can be evaluated matters. */
const anyAddress = "192.0.2.1"

/** Options of {@link domainCheckLayer}. */
export interface DomainCheckOptions {
  /** The key that this service signs with. */
  readonly dkim?: DkimKey | undefined
  /** Addresses of name servers, with ports; default those of the system. */
  readonly servers?: ReadonlyArray<string>
}

/** {@link DomainCheck} by the DNS. mailauth is loaded with the first domain; without it everything is unknown. */
export const domainCheckLayer = ({ dkim, servers }: DomainCheckOptions = {}): Layer.Layer<DomainCheck> => {
  const check = Effect.fnUntraced(function* (domain: string) {
    const checks = yield* optionalPackage("mailauth", "Checking domains", loadChecks)
    const resolver = new Resolver({ timeout: 2_000, tries: 2 })
    if (servers !== undefined) resolver.setServers(servers)
    const records = recordsOf(resolver)
    const found = yield* Effect.tryPromise(() =>
      Promise.all([
        checks.spf({ sender: `postmaster@${domain}`, ip: anyAddress, helo: domain, resolver: records }),
        checks.dmarc({ headerFrom: domain, spfDomains: [], dkimDomains: [], resolver: records }),
        dkimOf(resolver, domain, dkim)
      ])
    ).pipe(Effect.onInterrupt(() => Effect.sync(() => resolver.cancel())))
    const [spf, dmarc, ofKey] = found
    return {
      spf: verdictOf(spf.status?.result),
      dkim: ofKey,
      dmarc: dmarc === false ? "missing" : verdictOf(dmarc.status?.result)
    } satisfies Pick<Facts, "spf" | "dkim" | "dmarc">
  })
  return Layer.succeed(DomainCheck, {
    check: (domain) =>
      Effect.timeoutOption(check(domain), deadline).pipe(
        Effect.map((found) => (found._tag === "Some" ? found.value : unknown)),
        Effect.catchDefect((defect) =>
          Effect.as(Effect.logInfo("A domain could not be checked", { domain }, defect), unknown)
        ),
        Effect.orElseSucceed(() => unknown),
        Effect.map((facts) => ({
          ...facts,
          problems: (["spf", "dkim", "dmarc"] as const).flatMap((name) => problems[name][facts[name]] ?? [])
        }))
      )
  })
}
