/**
 * Takes the pictures of every page for docs/screenshots: `node test/browser/screenshots.ts [beginning of a name]`; in English,
 * to be looked at elsewhere: `LOCALE=en-US FOLDER=/tmp/english node test/browser/screenshots.ts`.
 */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { signUpOperator, signUpPerson, type TestPerson } from "../dashboard/TestPerson.ts"
import { settle } from "./check-page.ts"
import { launchBrowser } from "./launch.ts"
import { fillAccount, fillTransfers } from "./sample-data.ts"
import { openContext } from "./sign-in-context.ts"

const { FOLDER: folder = join(import.meta.dirname, "../../docs/screenshots"), LOCALE: locale = "vi-VN" } =
  process.env

interface Shot {
  readonly name: string
  readonly path: string
  readonly who: "nobody" | "customer" | "operator"
  /** What to do before the picture is taken. */
  readonly act?: (page: Page) => Promise<unknown>
  /** So that the next picture is not changed by this one. */
  readonly undo?: (person: TestPerson) => Promise<unknown>
}

const shots: ReadonlyArray<Shot> = [
  { name: "sign-in", path: "/signin", who: "nobody" },
  { name: "sign-up", path: "/signup", who: "nobody" },
  { name: "overview", path: "/overview", who: "customer", act: (page) => page.locator(".u-over").waitFor() },
  { name: "keys", path: "/keys", who: "customer" },
  {
    name: "key-created",
    path: "/keys",
    who: "customer",
    act: async (page) => {
      await page.locator("main header button").click()
      await page.locator("dialog input").first().fill("Ứng dụng mới")
      await page.locator("dialog button[type=submit]").click()
      await page.getByTestId("secret").waitFor()
    },
    undo: async (person) => {
      const { keys } = (await person.get("/dashboard/api/keys")).body
      await person.post(`/dashboard/api/keys/${keys[0].id}/revoke`)
    }
  },
  { name: "usage", path: "/usage", who: "customer", act: (page) => page.locator(".u-over").waitFor() },
  { name: "top-up", path: "/topup", who: "customer" },
  {
    name: "top-up-pay",
    path: "/topup",
    who: "customer",
    act: async (page) => {
      await page.locator("main form button[type=submit]").click()
      await page.getByTestId("qr").waitFor()
    }
  },
  {
    name: "alerts",
    path: "/alerts",
    who: "customer",
    act: (page) => page.locator("main li").nth(1).waitFor()
  },
  { name: "statement", path: "/statement", who: "customer" },
  { name: "members", path: "/members", who: "customer" },
  { name: "status", path: "/status", who: "nobody" },
  { name: "models", path: "/models", who: "customer" },
  { name: "account", path: "/account", who: "customer" },
  { name: "operator-service", path: "/operator", who: "operator" },
  { name: "operator-accounts", path: "/operator/accounts", who: "operator" },
  {
    name: "operator-account",
    path: "/operator/accounts",
    who: "operator",
    act: async (page) => {
      await page.getByRole("link", { name: "lan@example.com" }).click()
      await page.locator("main form input[maxlength='40']").waitFor()
    }
  },
  {
    name: "operator-credit",
    path: "/operator/accounts",
    who: "operator",
    act: async (page) => {
      await page.getByRole("link", { name: "lan@example.com" }).click()
      const amount = page.locator("input[maxlength='40']")
      const form = page.locator("main form").filter({ has: amount })
      await form.locator("input").first().fill("500.000")
      await form.locator("input").nth(1).fill("Khuyến mãi")
      await form.locator("button[type=submit]").click()
      await page.getByTestId("change").waitFor()
    }
  },
  { name: "operator-transfers", path: "/operator/transfers", who: "operator" },
  { name: "operator-models", path: "/operator/models", who: "operator" },
  { name: "operator-providers", path: "/operator/providers", who: "operator" },
  { name: "operator-margin", path: "/operator/margin", who: "operator" },
  { name: "operator-audit", path: "/operator/audit", who: "operator" }
]

const sizes = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } } as const

const live = {
  openCalls: 37,
  heldMicroVnd: "812345000000",
  callsPerMinute: 1284,
  isLedgerReady: true,
  eventLoopDelayMs: 2
} as const

const main = async (only: string | undefined) => {
  mkdirSync(folder, { recursive: true })
  const dashboard = await startTestDashboard({
    environment: { ANTHROPIC_API_KEY: "sample", OPENAI_API_KEY: "sample" },
    live
  })
  const browser = await launchBrowser()
  try {
    const people = await makePeople(dashboard)
    for (const theme of ["light", "dark"] as const) {
      for (const size of ["desktop", "phone"] as const)
        await takeAll(browser, dashboard, people, theme, size, only)
    }
  } finally {
    await browser.close()
    await dashboard.stop()
  }
}

type People = Readonly<Record<Shot["who"], TestPerson | undefined>>

const makePeople = async (dashboard: TestDashboard): Promise<People> => {
  const customer = await signUpPerson(dashboard, "lan@example.com", "Nguyễn Thị Lan")
  await fillAccount(dashboard, customer)
  for (const name of ["an", "binh", "chi", "dung"]) await signUpPerson(dashboard, `${name}@example.com`, name)
  await fillTransfers(dashboard)
  const webhook = { url: "https://chatbot.lan.example/tollgate", kinds: ["balance.low", "budget.spent"] }
  const { id } = (await customer.post("/dashboard/api/alerts/webhooks", webhook)).body
  await customer.post(`/dashboard/api/alerts/webhooks/${id}/test`)
  const operator = await signUpOperator(dashboard, "operator@example.com", "Phạm Hà")
  const price = { model: "gpt-5.5", price_vnd: 2_200, disabled: false }
  await operator.post("/dashboard/api/operator/models", price)
  return { nobody: undefined, customer, operator }
}

const takeAll = async (
  browser: Browser,
  dashboard: TestDashboard,
  people: People,
  theme: "light" | "dark",
  size: "desktop" | "phone",
  only: string | undefined
) => {
  for (const shot of shots.filter(({ name }) => only === undefined || name.startsWith(only))) {
    const context = await openContext(browser, dashboard, people[shot.who], {
      viewport: sizes[size],
      isMobile: size === "phone",
      colorScheme: theme,
      locale
    })
    const page = await context.newPage()
    await page.goto(`/dashboard${shot.path}`)
    await settle(page)
    await shot.act?.(page)
    await settle(page)
    await page.screenshot({ path: join(folder, `${shot.name}-${size}-${theme}.png`) })
    await context.close()
    const person = people[shot.who]
    if (person !== undefined) await shot.undo?.(person)
  }
}

await main(process.argv[2])
