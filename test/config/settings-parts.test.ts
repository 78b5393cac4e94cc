/** What nodes compare of their settings: what money and customers depend on, and nothing of a secret or of one machine. */
import { assert, describe, it } from "@effect/vitest"
import { type SettingsParts, settingsParts } from "../../src/config/settings-parts.ts"
import { useSettingsFolder } from "./settings-folder.ts"

const folder = useSettingsFolder()

type Environment = Readonly<Record<string, string>>

const partsOf = (file: string, environment: Environment = {}) => {
  folder.write(file)
  return settingsParts(folder.load(environment))
}

/** Of the parts that both tell, as `readSettingsApart` has it. */
const apart = (one: SettingsParts, other: SettingsParts) =>
  Object.keys(one).filter((part) => part in other && one[part] !== other[part])

describe("the parts of settings that nodes compare", () => {
  it.each<[string, string, string]>([
    ["models", "aliases: { best: claude-opus-5 }", "aliases: { best: claude-sonnet-5 }"],
    [
      "models",
      "providers: { openai: { tiers: { priority: 2 } } }",
      "providers: { openai: { tiers: { priority: 2.5 } } }"
    ],
    ["models", "providers: { openai: { tool_prices_vnd: { web_search: 250 } } }", ""],
    ["limits", "limits: { max_body_bytes: 100000 }", "limits: { max_body_bytes: 200000 }"],
    ["limits", "limits: { hold_output_tokens: 100 }", ""],
    ["retention", "retention: { calls_days: 90 }", "retention: { calls_days: 365 }"],
    ["retention", "retention: { calls_days: 90, archive: months }", "retention: { calls_days: 90 }"],
    ["private_ranges", "webhooks: { private_ranges: ['10.0.0.0/8'] }", ""],
    [
      "providers",
      "providers: { bedrock: { region: us-east-1 } }",
      "providers: { bedrock: { region: eu-west-1 } }"
    ],
    ["issuer", "issuer: { company: One }", "issuer: { company: Other }"],
    [
      "providers",
      "providers: { openai: { routes: [{ base_url: 'https://one.example/v1', api_key: k }] } }",
      "providers: { openai: { routes: [{ base_url: 'https://other.example/v1', api_key: k }] } }"
    ]
  ])("tell %s apart: %s", (part, one, other) => {
    assert.deepStrictEqual(apart(partsOf(one), partsOf(other)), [part])
  })

  it.each<[string, Environment, Environment]>([
    ["public_url", { PUBLIC_URL: "https://gate.example.vn" }, {}],
    ["public_url", { PUBLIC_URL: "https://gate.example.vn" }, { DASHBOARD: "off" }],
    ["trust_proxy", { TRUST_PROXY: "true" }, {}],
    ["messenger", { SEPAY_WEBHOOK_SECRET: "s" }, { CASSO_WEBHOOK_SECRET: "s" }],
    ["messenger", { SEPAY_WEBHOOK_SECRET: "s", SEPAY_API_TOKEN: "t" }, { SEPAY_WEBHOOK_SECRET: "s" }],
    ["mail", { SMTP_URL: "smtp://127.0.0.1", SMTP_FROM: "a@example.vn" }, {}],
    ["oauth", { GITHUB_CLIENT_ID: "i", GITHUB_CLIENT_SECRET: "s" }, {}]
  ])("tell %s apart: %o", (part, one, other) => {
    assert.deepStrictEqual(apart(partsOf("", one), partsOf("", other)), [part])
  })

  it("are the same where a machine, a port, a key or the order of a file is another", () => {
    const one = partsOf("limits: { max_body_bytes: 100000, call_timeout_seconds: 60 }", {
      PORT: "1",
      DATA_DIR: "/one",
      OPENAI_API_KEY: "one",
      SEPAY_API_TOKEN: "one",
      SMTP_URL: "smtp://one",
      SMTP_FROM: "a@example.vn"
    })
    const other = partsOf("limits: { call_timeout_seconds: 60, max_body_bytes: 100000, max_open_calls: 5 }", {
      PORT: "2",
      DATA_DIR: "/other",
      OPENAI_API_KEY: "other",
      SEPAY_API_TOKEN: "other",
      SMTP_URL: "smtp://other",
      SMTP_FROM: "a@example.vn"
    })
    assert.deepStrictEqual(apart(one, other), [])
  })

  it("are alike where a node without pages is not told what pages alone tell", () => {
    const bank = {
      TOLLGATE_BANK_BIN: "970436",
      TOLLGATE_BANK_ACCOUNT: "0123456789",
      TOLLGATE_BANK_ACCOUNT_NAME: "CONG TY"
    }
    const withPages = partsOf("issuer: { company: One }", { ...bank, OPERATORS_SECOND_FACTOR: "off" })
    const callsAlone = partsOf("", { DASHBOARD: "off" })
    assert.deepStrictEqual(apart(callsAlone, withPages), [])
    assert.includeMembers(apart(withPages, partsOf("")), ["issuer", "bank", "second_factor"])
  })
})
