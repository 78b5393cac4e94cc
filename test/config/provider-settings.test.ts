import { assert, describe, it } from "@effect/vitest"
import { withSimulator } from "../../src/config/adjust-settings.ts"
import { formatFactor } from "../../src/domain/factor.ts"
import { Catalogue } from "../../src/domain/catalogue.ts"
import { catalogueOf, useSettingsFolder } from "./settings-folder.ts"

const folder = useSettingsFolder()

describe("providers", () => {
  it.each([
    ["anthropic", "ANTHROPIC_API_KEY", "https://api.anthropic.com", "messages"],
    ["openai", "OPENAI_API_KEY", "https://api.openai.com/v1", "chat"],
    ["deepseek", "DEEPSEEK_API_KEY", "https://api.deepseek.com/v1", "chat"],
    ["google", "GEMINI_API_KEY", "https://generativelanguage.googleapis.com/v1beta/openai", "chat"],
    ["google", "GOOGLE_API_KEY", "https://generativelanguage.googleapis.com/v1beta/openai", "chat"],
    ["alibaba", "DASHSCOPE_API_KEY", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "chat"],
    ["moonshotai", "MOONSHOT_API_KEY", "https://api.moonshot.ai/v1", "chat"],
    ["zai", "ZAI_API_KEY", "https://api.z.ai/api/paas/v4", "chat"],
    ["xai", "XAI_API_KEY", "https://api.x.ai/v1", "chat"],
    ["mistral", "MISTRAL_API_KEY", "https://api.mistral.ai/v1", "chat"],
    ["minimax", "MINIMAX_API_KEY", "https://api.minimax.io/anthropic", "messages"],
    ["meta", "META_API_KEY", "https://api.meta.ai/v1", "chat"],
    ["meta", "MODEL_API_KEY", "https://api.meta.ai/v1", "chat"]
  ])("need no more than the usual key: %s by %s", (name, variable, baseUrl, style) => {
    const { development, providers, simulated } = folder.load({ [variable]: "the-key" })
    assert.isFalse(simulated)
    assert.isFalse(development)
    const { routes, ...provider } = providers[name]!
    assert.deepStrictEqual(routes, [{ id: `${name}#0`, baseUrl, apiKey: "the-key", priority: 1, weight: 1 }])
    assert.strictEqual(provider.style, style)
    assert.isAtLeast(provider.firstByteTimeoutMs, 900_000, "an answer may take as long as its call")
    assert.strictEqual(provider.onClientLeave, "abort")
    for (const other of Object.values(providers))
      if (other.name !== name) assert.deepStrictEqual(other.routes, [])
  })

  it("sell at other prices what the file says, exactly, and refuse what can not be a price", () => {
    const priced = (settings: string) => {
      folder.write(`providers:\n  openai: ${settings}`)
      return folder.load().providers["openai"]!.surcharges
    }
    const { refusesHostedTools, tiers, toolPrices } = priced(
      '{ tiers: { priority: 2, flex: 0.5, us: "1.10" }, tool_prices_vnd: { web_search: 260.5 }, hosted_tools: refuse }'
    )
    assert.deepStrictEqual(
      [...tiers].map(([name, factor]) => [name, formatFactor(factor)]),
      [
        ["priority", "2"],
        ["flex", "0.5"],
        ["us", "1.1"]
      ]
    )
    assert.deepStrictEqual([...toolPrices], [["web_search", 260_500_000n]])
    assert.isTrue(refusesHostedTools)
    const bad = [
      "tiers: { default: 2 }",
      "tiers: { fast: 0 }",
      "tool_prices_vnd: { x: -1 }",
      "hosted_tools: no"
    ]
    for (const setting of bad)
      assert.include(folder.fileRefusal(`providers:\n  openai: { ${setting} }`), "providers.openai.")
  })

  it("reach AWS by its usual variables, and drain it", () => {
    const { providers } = folder.load({
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: "id",
      AWS_SECRET_ACCESS_KEY: "secret"
    })
    const { aws, onClientLeave, routes, style } = providers["bedrock"]!
    assert.strictEqual(routes[0]!.baseUrl, "https://bedrock-runtime.eu-west-1.amazonaws.com")
    assert.deepStrictEqual([style, onClientLeave, aws!.accessKeyId], ["bedrock", "drain", "id"])
    const byToken = folder.load({ AWS_DEFAULT_REGION: "us-west-2", AWS_BEARER_TOKEN_BEDROCK: "token" })
      .providers["bedrock"]!
    assert.strictEqual(byToken.routes[0]!.apiKey, "token")
    assert.strictEqual(byToken.aws!.region, "us-west-2")
    assert.isFalse(folder.load({ AWS_PROFILE: "work" }).simulated)
    folder.write("providers: { bedrock: { endpoint: http://127.0.0.1:9002 } }")
    assert.isFalse(folder.load().simulated)
    folder.write("")
    assert.isTrue(folder.load({ AWS_REGION: "us-east-1" }).simulated)
  })

  it.each([
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"
  ])("reach AWS by the role that a container has by %s", (name) => {
    const { providers, simulated } = folder.load({ AWS_REGION: "eu-west-1", [name]: "/role" })
    assert.isFalse(simulated)
    const addresses = providers["bedrock"]!.routes.map(({ baseUrl }) => baseUrl)
    assert.deepStrictEqual(addresses, ["https://bedrock-runtime.eu-west-1.amazonaws.com"])
    assert.isTrue(folder.load({ AWS_REGION: "eu-west-1", [name]: "" }).simulated)
  })

  it("reach AWS in China under China's own domain", () => {
    const { routes } = folder.load({ AWS_REGION: "cn-north-1", AWS_PROFILE: "work" }).providers["bedrock"]!
    assert.strictEqual(routes[0]!.baseUrl, "https://bedrock-runtime.cn-north-1.amazonaws.com.cn")
  })

  it("are configured by the file", () => {
    folder.write(`
providers:
  anthropic:
    on_client_leave: drain
    first_byte_timeout_ms: 1000
    routes:
      - { base_url: "http://127.0.0.1:9000/", api_key: "\${FIRST_KEY}", priority: 2, weight: 3 }
      - { base_url: "http://127.0.0.1:9001" }
  bedrock: { region: eu-central-1, inference_profile: eu, endpoint: "http://127.0.0.1:9002" }
  openai:
`)
    const { providers, simulated } = folder.load({ FIRST_KEY: "one", ANTHROPIC_API_KEY: "unused" })
    assert.isFalse(simulated)
    const { firstByteTimeoutMs, onClientLeave, routes } = providers["anthropic"]!
    assert.deepStrictEqual([onClientLeave, firstByteTimeoutMs], ["drain", 1000])
    assert.deepStrictEqual(routes, [
      { id: "anthropic#0", baseUrl: "http://127.0.0.1:9000", apiKey: "one", priority: 2, weight: 3 },
      { id: "anthropic#1", baseUrl: "http://127.0.0.1:9001", apiKey: "", priority: 1, weight: 1 }
    ])
    const { aws, routes: bedrockRoutes } = providers["bedrock"]!
    assert.deepStrictEqual([aws!.region, aws!.inferenceProfile], ["eu-central-1", "eu"])
    assert.strictEqual(bedrockRoutes[0]!.baseUrl, "http://127.0.0.1:9002")
    assert.deepStrictEqual(providers["openai"]!.routes, [])
  })

  it("may be of one's own, where a catalogue of one's own uses them", () => {
    folder.write(JSON.stringify(catalogueOf("house")), "own.json")
    folder.write(`
catalogue: ./own.json
providers: { house: { style: chat, routes: [{ base_url: "http://10.0.0.1/v1" }] } }
`)
    const { aliases, catalogue, providers } = folder.load()
    assert.strictEqual(providers["house"]!.routes[0]!.id, "house#0")
    assert.deepStrictEqual(aliases, {})
    assert.isDefined(new Catalogue(catalogue, aliases).get("own-model"))
  })

  it("are all led to the simulator, each in the form it takes", () => {
    const { providers, simulatorUrl } = withSimulator(folder.load(), "http://127.0.0.1:5")
    assert.strictEqual(simulatorUrl, "http://127.0.0.1:5")
    assert.strictEqual(providers["anthropic"]!.routes[0]!.baseUrl, "http://127.0.0.1:5")
    assert.strictEqual(providers["openai"]!.routes[0]!.baseUrl, "http://127.0.0.1:5/v1")
    assert.strictEqual(providers["bedrock"]!.routes[0]!.baseUrl, "http://127.0.0.1:5")
  })
})
