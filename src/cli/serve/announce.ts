/** What the start tells whoever started it: where the service is, and on a first run how to make a first call. */
import { Effect } from "effect"
import { localUrl } from "../../config/load-settings.ts"
import type { Settings } from "../../config/settings.ts"
import type { FirstRun } from "./first-run.ts"

type Announced = Pick<Settings, "hasDashboard" | "host" | "port" | "publicUrl" | "simulated">

export const announce = (settings: Announced, first: FirstRun | undefined) =>
  Effect.sync(() => {
    process.stderr.write(`${startLines(settings, first).join("\n")}\n`)
  })

/** The public address may be a proxy's: which port was taken here is told apart from it. */
export const startLines = (settings: Announced, first: FirstRun | undefined): ReadonlyArray<string> => {
  const { hasDashboard, publicUrl } = settings
  const listening = localUrl(settings.host, settings.port)
  return [
    `Tollgate listens on ${listening} (${hasDashboard ? `dashboard: ${publicUrl}/dashboard` : "no dashboard"})`,
    ...(publicUrl === listening ? [] : [`Customers reach it at ${publicUrl}`]),
    ...(settings.simulated
      ? ["No provider key is configured: every model is answered by the built-in simulator."]
      : []),
    ...(first === undefined ? [] : demoLines(listening, first))
  ]
}

const demoLines = (url: string, { email, keyId, password, secret }: FirstRun): ReadonlyArray<string> => [
  "",
  `A demo account (${email}, password ${password}) with 50,000 VND was created. Its API key:`,
  "",
  `  ${secret}`,
  "",
  `Should it scroll away: npm run tollgate -- key show ${keyId}`,
  "",
  "Try it:",
  "",
  `  curl ${url}/v1/messages -H "x-api-key: ${secret}" -H "content-type: application/json" \\`,
  `    -d '{"model":"claude-sonnet-5","max_tokens":256,"messages":[{"role":"user","content":"Hello"}]}'`,
  ""
]
