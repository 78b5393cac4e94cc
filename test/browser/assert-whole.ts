/** A page that everybody can read, whose content stays within it. */
import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import { findViolations, sticksOut } from "./check-page.ts"

export const assertWhole = async (page: Page): Promise<void> => {
  assert.deepStrictEqual(await findViolations(page), [])
  assert.deepStrictEqual(await page.evaluate(sticksOut), [])
}
