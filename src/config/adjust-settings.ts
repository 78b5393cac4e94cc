/** What becomes known only while the program starts, put into the settings. */
import { localUrl } from "./load-settings.ts"
import type { ProviderSettings, Settings } from "./settings.ts"

/** The port that was really taken; a public address that was only assumed follows it. */
export const withPort = (settings: Settings, port: number): Settings => ({
  ...settings,
  port,
  publicUrl:
    settings.publicUrl === localUrl(settings.host, settings.port)
      ? localUrl(settings.host, port)
      : settings.publicUrl
})

/** Leads every provider to the simulator at this origin, in the form its style takes a base address. */
export const withSimulator = (settings: Settings, origin: string): Settings => ({
  ...settings,
  simulatorUrl: origin,
  providers: Object.fromEntries(
    Object.entries(settings.providers).map(([name, provider]) => [name, simulate(provider, origin)])
  )
})

const simulate = (provider: ProviderSettings, origin: string): ProviderSettings => ({
  ...provider,
  routes: [
    {
      id: `${provider.name}#0`,
      baseUrl: provider.style === "chat" ? `${origin}/v1` : origin,
      apiKey: "simulated",
      priority: 1,
      weight: 1
    }
  ]
})
