/** The addresses of all pages, and what makes them quick to look at. */
import type { Settings } from "../../src/config/settings.ts"

export const guestPages = [
  "/status",
  "/signin",
  "/signup",
  "/forgot",
  "/reset?token=x",
  "/verify?token=x",
  "/models",
  "/docs",
  "/nowhere"
]
export const ownPages = [
  "/overview",
  "/keys",
  "/usage",
  "/topup",
  "/statement",
  "/alerts",
  "/models",
  "/account",
  "/tokens",
  "/docs",
  "/members",
  "/activity",
  "/join?token=x",
  "/nowhere"
]
export const operatorPages = [
  "",
  "/search?q=example",
  "/accounts",
  "/transfers",
  "/models",
  "/providers",
  "/margin",
  "/purchase-prices",
  "/audit",
  "/audit?actor=cli&from=2026-01-01&to=2026-01-31"
].map((path) => `/operator${path}`)

/** Of one account among the operator's. */
export const accountViews = [
  "",
  "&view=usage",
  "&view=statement",
  "&view=keys",
  "&view=members",
  "&view=mail"
]

/** One in eight: axe looks at each row. */
export const withFewModels = (settings: Settings): Settings => {
  const models = settings.catalogue as ReadonlyArray<unknown>
  return { ...settings, aliases: {}, catalogue: models.filter((_, index) => index % 8 === 0) }
}
