/** What the start tells whoever started it: where the service is, and on a first run how to make a first call. */
import { Effect } from "effect"
import type { Settings } from "../config/settings.ts"
import type { FirstRun } from "./first-run.ts"

export const announce = (settings: Settings, first: FirstRun | undefined) =>
  Effect.sync(() => {
    const lines = [
      `Tollgate listens on ${settings.publicUrl} (dashboard: ${settings.publicUrl}/dashboard)`,
      ...(settings.simulated
        ? ["No provider key is configured: every model is answered by the built-in simulator."]
        : []),
      ...(first === undefined ? [] : demoLines(settings, first))
    ]
    process.stderr.write(`${lines.join("\n")}\n`)
  })

const demoLines = ({ publicUrl }: Settings, { email, password, secret }: FirstRun): ReadonlyArray<string> => [
  "",
  `A demo account (${email}, password ${password}) with 50,000 VND was created. Its API key, shown only now:`,
  "",
  `  ${secret}`,
  "",
  "Try it:",
  "",
  `  curl ${publicUrl}/v1/messages -H "x-api-key: ${secret}" -H "content-type: application/json" \\`,
  `    -d '{"model":"claude-sonnet-5","max_tokens":256,"messages":[{"role":"user","content":"Hello"}]}'`,
  ""
]
