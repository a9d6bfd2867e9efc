/** The review page of `svc serve` on PostgreSQL: what is counted is counted in the database. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { Pool } from "pg"
import type { Browser } from "playwright-core"
import { createSvc } from "#embed/createSvc.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { hasChromium, startBrowser } from "../support/chromium.ts"
import { type RunningSvc, startSvc } from "../support/svcProcess.ts"
import { draftsAt, signedIn, until } from "./reviewing.ts"

/** More drafts like the first one, in one statement. */
const plant = (pool: Pool, count: number) =>
  pool.query(
    `with first as (select * from svc.linkedin_drafts limit 1), copied as (
       insert into svc.leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url, status,
         score, is_flagged, search_text, profile, created_at, updated_at)
       select organization_id, 'ld_' || n, 'Copy ' || n, '', '', '', '', '', '', 'Waiting', 0, false, '', '{}', now(), now()
       from first cross join generate_series(2, $1::int) n
     )
     insert into svc.linkedin_drafts (organization_id, id, lead_id, agent_id, status, variations, created_by_user_id,
       created_by_actor_kind, created_at, updated_at)
     select organization_id, 'drf_' || n, 'ld_' || n, agent_id, status, jsonb_build_array('Hi Copy ' || n || ', do you have a minute?'),
       created_by_user_id, created_by_actor_kind, created_at + n * interval '1 millisecond', updated_at
     from first cross join generate_series(2, $1::int) n`,
    [count]
  )

describe.skipIf(!hasPostgres() || !hasChromium())("the review page of a server on PostgreSQL", () => {
  const scope = Effect.runSync(Scope.make())
  let browser: Browser
  let server: RunningSvc
  let pool: Pool
  let key: string
  let env: Record<string, string>
  beforeAll(async () => {
    const { url } = await Effect.runPromise(Scope.provide(freshPostgres(), scope))
    pool = new Pool({ connectionString: clearUrl(url), max: 1 })
    env = { SVC_DATABASE_URL: clearUrl(url), SVC_RATE_LIMIT: "0" }
    ;[browser, server] = await Promise.all([startBrowser(), startSvc(["serve", "--no-worker"], { env })])
    const svc = await createSvc({ databaseUrl: clearUrl(url), worker: false })
    key = (await svc.createOrganization("Serve")).apiKey
    await svc.close()
    await draftsAt(server.url, key, "Serve", 1)
    await plant(pool, 5000)
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    await pool?.end()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("scrolls through 5,000 drafts to the last one, and counts all of them", async () => {
    const { context, page, problems } = await signedIn(browser, { url: () => server.url }, key)
    await page.waitForSelector("[data-text]")
    assert.match((await page.textContent(".tab[aria-current]")) ?? "", /5,000/)
    const scrolled = `(() => {
      const box = document.querySelector(".rows")
      box.scrollTop = box.scrollHeight
      return box.scrollHeight
    })()`
    await until(page, `${scrolled} >= 5000 * 64`)
    await page.keyboard.press("End")
    await until(page, `document.querySelector("[data-text]")?.textContent.startsWith("Hi Copy 5000,")`)
    assert.isBelow(await page.evaluate<number>(`document.querySelectorAll(".row").length`), 40)
    await page.keyboard.press("k")
    await until(page, `document.querySelector("[data-text]")?.textContent.startsWith("Hi Copy 4999,")`)
    assert.deepStrictEqual(problems, [])
    await context.close()
  })

  it("loses no decision and makes none twice when the server is killed between key presses and starts again", async () => {
    const { context, page } = await signedIn(browser, { url: () => server.url }, key)
    const pressed: Array<string> = []
    const approve = async (count: number) => {
      for (let at = 0; at < count; at++) {
        await page.waitForSelector("[data-text]")
        await page.waitForTimeout(400)
        pressed.push((await page.getAttribute(".row[aria-current]", "data-item")) ?? "")
        await page.keyboard.press("a")
      }
    }
    await approve(2)
    // The third is on its way, stored or not: either must be right.
    await Promise.all([approve(1), page.waitForRequest("**/linkedin.draft.approve")])
    await server.stop("SIGKILL")
    await approve(3)
    await page.waitForSelector(".paused")
    server = await startSvc(["serve", "--no-worker", "--port", new URL(server.url).port], { env })
    // Nothing holds the idempotency keys of the killed server.
    const claims = await pool.query("select 1 from svc.idempotency_keys where envelope is null")
    assert.lengthOf(claims.rows, 0)
    await page.getByRole("button", { name: "Try now" }).click()
    await until(page, `!document.querySelector(".unsent") && !document.querySelector(".paused")`)
    const { rows } = await pool.query<{ id: string }>(
      "select id from svc.linkedin_drafts where status = 'READY_TO_SEND'"
    )
    assert.sameMembers(
      rows.map(({ id }) => id),
      pressed
    )
    assert.lengthOf(new Set(pressed), 6)
    const items = await pool.query<{ draft_id: string }>("select draft_id from svc.transmissions")
    assert.sameMembers(
      items.rows.map(({ draft_id }) => draft_id),
      pressed
    )
    const events = await pool.query("select 1 from svc.events where type = 'draft.approved'")
    assert.lengthOf(events.rows, 6)
    await context.close()
  })
})
