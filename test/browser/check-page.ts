/** What every page must hold: nothing axe objects to, nothing the browser complains of. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { CDPSession, Page } from "playwright-core"

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const everything = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
/** What the other theme may break. */
const colours = { type: "rule", values: ["color-contrast"] }

/** What is behind a dialog can not be reached, and is looked at where there is none. */
const place = `[...document.querySelectorAll("dialog[open]")].at(-1) ?? document`

const auditOf = (
  runOnly: unknown
) => `axe.run(${place}, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ["violations"], preload: false }).then(
  ({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 160))))`

/**
 * Of the page at rest, in a world of its own, since the page's policy forbids foreign code in the page itself. A page with an
 * authenticator lends the session that it was plugged in by: the end of any other would unplug it.
 */
export const findViolations = (page: Page, lent?: CDPSession): Promise<ReadonlyArray<string>> =>
  audit(page, everything, lent)

/** What is left to look at where all else was in the other theme. */
export const findColourViolations = (page: Page): Promise<ReadonlyArray<string>> => audit(page, colours)

const audit = async (page: Page, runOnly: unknown, lent?: CDPSession): Promise<ReadonlyArray<string>> => {
  await settle(page)
  const session = lent ?? (await page.context().newCDPSession(page))
  const { frameTree } = await session.send("Page.getFrameTree")
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id
  })
  await session.send("Runtime.evaluate", { expression: axeSource, contextId })
  const { exceptionDetails, result } = await session.send("Runtime.evaluate", {
    expression: auditOf(runOnly),
    contextId,
    awaitPromise: true,
    returnByValue: true
  })
  if (lent === undefined) await session.detach()
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
  return result.value as ReadonlyArray<string>
}

/** Whether the page scrolls sideways, and what sticks out of it. */
export const sticksOut = `(({ clientWidth, scrollWidth }) =>
  scrollWidth <= clientWidth ? [] : [scrollWidth - clientWidth, ...[...document.body.querySelectorAll("*")]
    .filter((element) => element.getBoundingClientRect().left + element.scrollWidth > clientWidth + 1)
    .map(({ outerHTML }) => outerHTML.slice(0, 120))])(document.documentElement)`

/** Collects errors of the console and the page from now on. */
export const watchErrors = (page: Page): Array<string> => {
  const errors: Array<string> = []
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") errors.push(message.text())
  })
  page.on("pageerror", (error) => errors.push(String(error)))
  return errors
}

/** What has not come yet, and what is asked for anew and faded meanwhile. */
const waits = ".skeleton, [aria-busy=true]"

const isStill = `new Promise((resolve) => {
  const isMoving = ({ effect, playState }) => playState === "running" && effect.getTiming().iterations !== Infinity
  const look = () =>
    document.querySelector("${waits}") === null && !document.getAnimations().some(isMoving)
      ? resolve(true)
      : requestAnimationFrame(look)
  look()
})`

/** What is moved by more may be missed by a click. */
export const pixelsUnnoticed = 4

/** Waits until the page has its content and stands still. */
export const settle = async (page: Page): Promise<void> => {
  await page.locator("h1").waitFor()
  await page.evaluate(isStill)
}
