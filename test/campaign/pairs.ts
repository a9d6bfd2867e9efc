/**
 * Every two commands that change the same thing, at the same moment, on two services with one PostgreSQL. Whatever the two
 * callers were told and what is stored afterwards must be what one of the two orders gives, one after the other.
 *
 * Lost: it is what neither order gives. Failed: an answer of 500 or more, one that took as long as a lock may be waited for, or a
 * deadlock.
 */
import type { Reply } from "../support/httpService.ts"
import { at } from "../support/httpService.ts"
import { randomOf } from "../support/random.ts"
import { type Act, type Scene, type Subject, scenes } from "./pairScenes.ts"
import { deadlocks, newDatabase, withPostgres } from "./postgres.ts"
import { type Campaign, pause, scenesToRun, type Tally } from "./Tally.ts"
import { openTwo, type Two } from "./twoServices.ts"

/** Milliseconds by which the second call comes later, at most. */
const maxDelay = 12
/** Nobody waits this long where two callers meet: a lock is given up after two seconds. */
const maxMillis = 1_500

/** Refusals while something is under way. */
const busy = new Set(["DRAFT_IN_FLIGHT", "GATEWAY_REJECTED", "IDEMPOTENCY_IN_PROGRESS", "WRONG_STATE"])

type Named = readonly [name: string, act: Act]

/** The code of a refusal, of the only item where there are several, or the status. */
const outcomeOf = ({ body, status }: Reply): string =>
  String(at(body, "error.code") ?? at(body, "error") ?? at(body, "data.results.0.error.code") ?? status)

/** A text without what differs between two rounds that went the same way. */
const withoutNames = (text: string, { slug }: Subject): string =>
  text
    .replaceAll(slug, "<slug>")
    // Noted once a minute or so.
    .replaceAll(/"last_used_at":("[^"]*"|null)/g, '"last_used_at":null')
    .replaceAll(/"position":\d+/g, '"position":0')
    .replaceAll(/"(cursor|next_cursor|etag|client_id|content_hash|thread_id|external_message_id)":"[^"]*"/g, '"$1":"…"')
    .replaceAll(/\b([a-z]{2,3})_[0-9A-Z]{26}\b/g, "$1_…")
    .replaceAll(/urn:sim:[a-z:]*[0-9a-f]+/g, "urn:sim")
    .replaceAll(/sim-[a-z]+-[0-9a-f]+/g, "sim-…")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<instant>")
    .replaceAll(/"(key_id|parent_key_id)":"[^"]*"/g, '"$1":"…"')
    .replaceAll(/\b[0-9a-f]{64}\b/g, "<digest>")

/** What happened since somebody last read, of one subject. */
type Feed = (subject: Subject) => Promise<ReadonlyArray<string>>

const makeFeed = (two: Two): Feed => {
  let after = 0
  return async (subject) => {
    const types: Array<string> = []
    for (;;) {
      const { body } = await two.run(0, "event.list", { after, limit: 100 })
      const events = at(body, "data.events")
      after = Number(at(body, "data.next"))
      if (!Array.isArray(events) || events.length === 0) return [...new Set(types)].toSorted()
      types.push(...events.filter((event) => isAbout(event, subject)).map(({ type }) => String(type)))
    }
  }
}

const isAbout = (value: unknown, subject: Subject): boolean => {
  const text = JSON.stringify(value)
  return Object.values(subject).some((name) => text.includes(name))
}

/** What is read of a subject; of a list of everything, its own. */
const stateOf = async (two: Two, scene: Scene, subject: Subject): Promise<string> => {
  const replies = await Promise.all(scene.look.map(([command, input]) => two.run(0, command, input(subject))))
  const shown = replies.map(({ body, status }) => {
    const items = at(body, "data.items")
    const found = at(body, "data.leads")
    if (Array.isArray(found)) return `${status} ${found.length} leads`
    // A message may be on its way while another one comes in.
    const messages = at(body, "data.messages")
    if (Array.isArray(messages))
      return `${status} ${messages
        .map((one) => withoutNames(JSON.stringify(one), subject))
        .toSorted()
        .join()}`
    const data = Array.isArray(items) ? items.filter((item) => isAbout(item, subject)) : at(body, "data")
    return `${status} ${JSON.stringify(data)}`
  })
  return shown.join("\n")
}

/** A round on a new subject; its whole outcome as one text, then what the worker makes of it. */
const play = async (
  two: Two,
  newEvents: Feed,
  scene: Scene,
  slug: string,
  both: (subject: Subject) => Promise<ReadonlyArray<Reply>>
): Promise<string> => {
  const subject = await scene.prepare(two, slug)
  await newEvents(subject)
  const replies = await both(subject)
  const before = await stateOf(two, scene, subject)
  await two.dispatch(0)
  const told = [replies.map(outcomeOf).join(" "), ...(await newEvents(subject))]
  return withoutNames([...told, before, await stateOf(two, scene, subject)].join("\n"), subject)
}

interface Pair {
  readonly title: string
  readonly scene: Scene
  readonly first: Named
  readonly second: Named
}

const pairs = (): ReadonlyArray<Pair> =>
  Object.entries(scenes)
    .filter(([name]) => scenesToRun(Object.keys(scenes)).includes(name))
    .flatMap(([name, scene]) => {
      const acts = Object.entries(scene.acts)
      return acts.flatMap((first, index) =>
        acts.slice(index).map((second) => ({ title: `${name}: ${first[0]} and ${second[0]}`, scene, first, second }))
      )
    })

/** What every scene needs. */
const furnish = async (two: Two): Promise<void> => {
  await two.run(0, "agent.create", { first_name: "Ada", last_name: "Martin", email_accounts: [mailbox] })
  const letters = { name: "Letters", handle: "letters", agent_handle: "ada-martin", email_review_strategy: "MANUAL" }
  await two.run(0, "mission.create", letters)
  const keys = at((await two.run(0, "key.list", {})).body, "data.keys")
  const agent = (Array.isArray(keys) ? keys : []).find(({ name }) => name === "Agent")
  await two.run(0, "policy.set", { key_id: agent?.key_id, mutate: "ask" })
  await pause(1_000)
}

const mailbox = { provider: "GOOGLE", email: "ada@agent.example" }

/** The first line in which an outcome differs from each of others. */
const differenceOf = (outcome: string, others: ReadonlyArray<string>): string =>
  others
    .map((other) => {
      const [mine, theirs] = [outcome.split("\n"), other.split("\n")]
      const line = mine.findIndex((text, index) => text !== theirs[index])
      const [left = "", right = ""] = [mine[line], theirs[line]]
      const place = Math.max(0, [...left].findIndex((letter, index) => letter !== right[index]) - 60)
      return `${left.slice(place, place + 260)}\n  and not ${right.slice(place, place + 260)}`
    })
    .join("\n")

const race = async (
  two: Two,
  newEvents: Feed,
  { first, scene, second, title }: Pair,
  rounds: number,
  seed: number,
  tally: Tally
) => {
  const { next } = randomOf(seed)
  let number = 0
  const slugOf = (kind: string) => `p${seed}-${kind}${number++}`
  const inOrder = (isSwapped: boolean): Promise<string> => {
    return play(two, newEvents, scene, slugOf("order"), async (subject) => {
      const [one, other] = isSwapped ? [second, first] : [first, second]
      const replies = [await one[1](two, 0, subject), await other[1](two, 1, subject)]
      return isSwapped ? replies.toReversed() : replies
    })
  }
  const known = [await inOrder(false), await inOrder(true)]
  // What takes several transactions refuses others in between, and then it is as if they had not come.
  const between = new Map<string, string>()
  for (const [refused, [name, act]] of [
    ["second", first],
    ["first", second]
  ] as const) {
    if (!scene.steps.includes(name)) continue
    const alone = await play(two, newEvents, scene, slugOf("alone"), async (subject) => [await act(two, 0, subject)])
    between.set(refused, alone)
  }
  const isJoined = [first, second].every(([name]) => scene.joins?.includes(name) === true)
  const isBetween = (outcome: string): boolean => {
    const [told = "", ...state] = outcome.split("\n")
    const codes = told.split(" ")
    return Array.from(between).some(([refused, alone]) => {
      const [code = "", left = ""] = refused === "second" ? codes.toReversed() : codes
      return (busy.has(code) || isJoined) && [left, ...state].join("\n") === alone
    })
  }
  for (let round = 0; round < rounds; round++) {
    const delay = next(maxDelay) - maxDelay / 2
    const outcome = await play(two, newEvents, scene, slugOf("race"), async (subject) => {
      const timed = async ([name, act]: Named, which: 0 | 1, wait: number) => {
        if (wait > 0) await pause(wait)
        const started = performance.now()
        const reply = await act(two, which, subject)
        const took = performance.now() - started
        const isFailed = reply.status >= 500 && reply.status !== 502
        if (isFailed || took > maxMillis) {
          tally.add(
            "failed",
            `${title}: ${name} took ${Math.round(took)} ms, ${reply.status} ${reply.text.slice(0, 300)}`
          )
        }
        return reply
      }
      return Promise.all([timed(first, 0, -delay), timed(second, 1, delay)])
    })
    tally.tried++
    const order = known.indexOf(outcome)
    tally.hit(order === -1 ? "one refused meanwhile" : known[0] === known[1] ? "either order" : `order ${order + 1}`)
    if (order === -1 && !isBetween(outcome)) {
      tally.add("lost", `${title} (round ${round}, ${delay} ms)\n  ${differenceOf(outcome, known)}`)
    }
  }
}

/** Runs the campaign. `SVC_CAMPAIGN_SCENES` names the things that are raced for, all unless told otherwise. */
export const pairsCampaign: Campaign = ({ count, seed }, tally) =>
  withPostgres(async (cluster) => {
    const url = await newDatabase(cluster)
    const two = await openTwo(url)
    await furnish(two)
    const drawn = pairs()
    const newEvents = makeFeed(two)
    const rounds = Math.ceil(count / drawn.length)
    for (const [index, pair] of drawn.entries()) await race(two, newEvents, pair, rounds, seed * 1_000 + index, tally)
    await two.close()
    const ended = await deadlocks(url)
    if (ended > 0) tally.add("failed", `${ended} deadlocks`)
  })
