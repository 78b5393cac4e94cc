import { assert, describe, it } from "@effect/vitest"
import { catalogueOf, useSettingsFolder } from "./settings-folder.ts"

const folder = useSettingsFolder()

/** `drainSeconds` is `drain_seconds` there. */
const inFile = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

describe("tollgate.yaml", () => {
  it("is found by TOLLGATE_CONFIG, and names its catalogue from where it lies itself", () => {
    folder.write(JSON.stringify(catalogueOf("openai")), "etc/own.json")
    folder.write(
      "catalogue: own.json\nlimits: { call_timeout_seconds: 60 }\naliases: { mine: own-model }",
      "etc/gate.yaml"
    )
    const settings = folder.load({ TOLLGATE_CONFIG: "etc/gate.yaml" })
    assert.strictEqual(settings.limits.callTimeoutSeconds, 60)
    assert.strictEqual(settings.limits.drainSeconds, 30)
    assert.deepStrictEqual(settings.aliases, { mine: "own-model" })
  })

  it("sets every limit by its own name", () => {
    const limits = Object.keys(folder.load().limits).filter((name) => name !== "proxies")
    const said = limits.map((name, place) => [inFile(name), place + 1] as const)
    folder.write(JSON.stringify({ limits: { ...Object.fromEntries(said), proxies: ["10.0.0.0/8"] } }))
    const set = Object.fromEntries(limits.map((name, place) => [name, place + 1]))
    assert.deepStrictEqual<object>(folder.load().limits, { ...set, proxies: ["10.0.0.0/8"] })
  })

  it.each([
    ["{ max_buffered_bytes: 1000 }", 500],
    ["{ max_buffered_bytes: 1000, max_buffered_bytes_per_account: 900 }", 900],
    ["{ max_buffered_bytes: 1000, max_buffered_bytes_per_account: 2000 }", 1000],
    ["{ max_buffered_bytes_per_account: 900 }", 900],
    ["{ max_body_bytes: 400, max_buffered_bytes: 1000 }", 400]
  ])("with limits: %s take bodies of %i bytes at most", (limits, most) => {
    folder.write(`limits: ${limits}`)
    assert.strictEqual(folder.load().limits.maxBodyBytes, most)
  })

  it("name models whose silent streams are asked for twice", () => {
    folder.write("hedge: { models: [claude-opus-5], after_ms: 4000 }", "etc/gate.yaml")
    assert.deepStrictEqual(folder.load({ TOLLGATE_CONFIG: "etc/gate.yaml" }).hedge, {
      afterMs: 4_000,
      models: ["claude-opus-5"]
    })
    assert.isUndefined(folder.load().hedge)
  })

  it("names the folder of the archive from where it lies itself", () => {
    folder.write("retention: { calls_days: 400, archive: ./calls }", "etc/gate.yaml")
    const { retention } = folder.load({ TOLLGATE_CONFIG: "etc/gate.yaml" })
    assert.deepStrictEqual(retention, { callsDays: 400, archive: folder.path("etc/calls") })
  })

  it("adds to the aliases and may change them", () => {
    folder.write("aliases: { opus: claude-fable-5, mine: claude-opus-5 }")
    const { aliases } = folder.load()
    assert.deepInclude(aliases, { opus: "claude-fable-5", mine: "claude-opus-5", sonnet: "claude-sonnet-5" })
  })

  it.each(["", "# nothing\n", "providers:\naliases:\ncatalogue:\nlimits:\nretention:\nhedge:\n"])(
    "may be as good as empty: %j",
    (content) => {
      const defaults = folder.load()
      folder.write(content)
      assert.deepStrictEqual(folder.load(), defaults)
    }
  )

  it.each([
    ["prot: 1", "prot: there is no such setting"],
    ["aliases: &loop [*loop]", "aliases[0][0][0][0][0][0][0][0]: is nested too deeply"],
    ["limits: { call_timeout: 1 }", "limits.call_timeout: there is no such setting"],
    ["limits: { drain_seconds: -1 }", "limits.drain_seconds: must be a whole number from 0 to 86400"],
    [
      "limits: { proxies: [10.0.0.0/33] }",
      "limits.proxies[0]: must be an IP address, or a range of them as 10.0.0.0/8"
    ],
    ["limits: { proxies: [proxy.example] }", "limits.proxies[0]: must be an IP address, or a range"],
    ["limits: { drain_seconds: soon }", "limits.drain_seconds: must be number"],
    ["retention: { calls_days: 0 }", "retention.calls_days: must be a whole number from 1 to 36500"],
    ["hedge: { models: [claude-opus-5] }", "hedge.after_ms: is missing"],
    ["hedge: { models: [], after_ms: 5 }", "hedge.models: "],
    ["hedge: { models: [claude-opus-5, x], after_ms: 5 }", "hedge.models[1]: is no model of the catalogue"],
    ["retention: { archive: x }", "retention.archive: is of no use without retention.calls_days"],
    [
      "providers: { openai: { on_client_leave: wait } }",
      'providers.openai.on_client_leave: must be "abort" | "drain"'
    ],
    [
      "providers: { openai: { routes: [{ base_url: 5 }] } }",
      "providers.openai.routes[0].base_url: must be string"
    ],
    ["providers: { openai: { routes: [{}] } }", "providers.openai.routes[0].base_url: is missing"],
    ["providers: { openai: { routes: [] } }", "providers.openai.routes: "],
    [
      "providers: { openai: { routes: [{ base_url: ftp://x }] } }",
      "providers.openai.routes[0].base_url: must be an http"
    ],
    [
      "providers: { openai: { region: x } }",
      "providers.openai.region: is a setting of bedrock providers only"
    ],
    [
      "providers: { opneai: { style: chat } }",
      "providers.opneai: no model of the catalogue uses this provider"
    ],
    ["providers: 5", "providers: must be object"],
    ["- 5", "the file: must be object"],
    ["aliases: { opus: gpt-0 }", "aliases: alias opus names an unknown model: gpt-0"],
    ["catalogue: absent.json", "catalogue: can not read"],
    ["catalogue: tollgate.yaml", "catalogue: "],
    [
      "providers: { openai: { routes: [{ base_url: http://x, api_key: '${NO_KEY}' }] } }",
      "routes[0].api_key: names the environment variable NO_KEY, which is not set"
    ],
    ["limits: { a: 1", "tollgate.yaml: line "],
    ["a: *b", "tollgate.yaml: "],
    ["limits: {}\nlimits: {}", "tollgate.yaml: line 2"]
  ])("is refused in one line that names what is wrong: %j", (content, message) => {
    assert.include(folder.fileRefusal(content), message)
  })

  it("is refused when the catalogue names a provider that nothing leads to, or one without its needs", () => {
    folder.write(JSON.stringify(catalogueOf("house")), "own.json")
    assert.include(
      folder.fileRefusal("catalogue: own.json"),
      "providers.house: the catalogue names this provider"
    )
    const own = (house: string) => folder.fileRefusal(`catalogue: own.json\nproviders: { house: ${house} }`)
    assert.include(own("{ routes: [{ base_url: http://x }] }"), "providers.house.style: must be given")
    assert.include(own("{ style: chat }"), "providers.house.routes: must be given")
  })

  it("shows no secret when it is refused", () => {
    const file = (end: string) =>
      `providers: { openai: { routes: [{ base_url: http://x, api_key: s3cret ${end}`
    for (const end of [
      "two }] } }",
      "}] } } }",
      "}] }",
      ", api_key: s3cret }] } }",
      ", base: s3cret }] } }"
    ]) {
      assert.notInclude(folder.fileRefusal(file(end)), "s3cret")
    }
    const filled = "providers: { openai: { routes: [{ base_url: '${SECRET}' }] } }"
    assert.notInclude(folder.fileRefusal(filled, { SECRET: "s3cret" }), "s3cret")
  })
})
