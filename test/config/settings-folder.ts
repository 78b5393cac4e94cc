/** A folder with configuration files, and what is made of them; a new one for each test of a file that calls this. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach } from "vitest"
import { loadSettings } from "../../src/config/load-settings.ts"
import { BadSetting, type Environment, type Settings } from "../../src/config/settings.ts"

export const useSettingsFolder = () => {
  let folder = ""
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tollgate-config-"))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const write = (content: string, name = "tollgate.yaml") => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const load = (environment: Environment = {}): Settings => Effect.runSync(loadSettings(environment, folder))
  /** The one line that refuses these settings. */
  const refusal = (environment: Environment = {}): string => {
    const error = Effect.runSync(Effect.flip(loadSettings(environment, folder)))
    assert.instanceOf(error, BadSetting)
    assert.notInclude(error.message, "\n")
    return error.message
  }
  /** What refuses this file. */
  const fileRefusal = (content: string, environment: Environment = {}): string => {
    write(content)
    return refusal(environment)
  }
  return { path: (name = "") => join(folder, name), write, load, refusal, fileRefusal }
}

/** One model of a provider of this name. */
export const catalogueOf = (provider: string) => [
  {
    id: "own-model",
    name: "Own model",
    context_window: 1000,
    max_output_tokens: 100,
    price: { per_mtok_vnd: 1 },
    channel: "standard",
    capabilities: [],
    family: "own",
    kind: "chat",
    upstream: { provider, model: "own", protocols: ["chat_completions"] }
  }
]
