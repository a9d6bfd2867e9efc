/** The browser that tests and benchmarks of the pages run in. */
import { existsSync } from "node:fs"
import { type Browser, chromium } from "playwright-core"

/** The shell is the browser without what nobody sees: it takes two thirds of the processor. */
const places = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"].map(
  (name) => `/usr/bin/${name}`
)

const executablePath = places.find((place) => existsSync(place))

/** Whether there is a browser to test in. The run says so if there is none, and fails in CI. */
export const hasChromium = (): boolean => {
  if (executablePath !== undefined) return true
  const why = "Chromium is not installed (apt-get install chromium-headless-shell)"
  if (process.env.CI === "true") throw new Error(`${why}; CI runs the tests of the review page in it.`)
  console.warn(`${why}: the tests of the review page in a browser are skipped.`)
  return false
}

/** Starts Chromium; ask {@link hasChromium} first. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ["--no-sandbox", "--disable-dev-shm-usage"]
  })
