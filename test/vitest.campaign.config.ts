/** Every test file, with generated tests at full effort: what campaigns choose from, and what runs a slow file by name. */
import { configDefaults } from "vitest/config"
import base from "./vitest.config.ts"

const effort = process.env.SVC_TEST_EFFORT ?? "1"

export default {
  ...base,
  test: {
    ...base.test,
    exclude: configDefaults.exclude,
    typecheck: { enabled: false },
    env: { ...base.test?.env, SVC_TEST_EFFORT: effort }
  }
}
