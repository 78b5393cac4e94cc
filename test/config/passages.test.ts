/** Proxies, authorities and certificates of routes, as the environment and the file give them. */
import { assert, describe, it } from "@effect/vitest"
import { makeAuthority } from "../certificates.ts"
import { useSettingsFolder } from "./settings-folder.ts"

const folder = useSettingsFolder()

const waysOf = (environment: Record<string, string>, provider = "openai") =>
  folder.load(environment).providers[provider]!.routes.map(({ passage }) => passage)

describe("the way to a provider", () => {
  const key = { OPENAI_API_KEY: "k" }

  it("is by the proxy that the environment names, in small letters first", () => {
    assert.deepStrictEqual(waysOf(key), [undefined])
    assert.deepStrictEqual(waysOf({ ...key, HTTPS_PROXY: "http://u:p@proxy:3128" }), [
      { proxy: "http://u:p@proxy:3128" }
    ])
    assert.deepStrictEqual(waysOf({ ...key, HTTPS_PROXY: "http://a", https_proxy: "b:80" }), [
      { proxy: "http://b:80" }
    ])
    assert.deepStrictEqual(waysOf({ ...key, HTTP_PROXY: "http://a" }), [undefined])
    for (const name of ["NO_PROXY", "no_proxy"])
      assert.deepStrictEqual(waysOf({ ...key, HTTPS_PROXY: "http://a", [name]: "x.test, api.openai.com" }), [
        undefined
      ])
  })

  it("is by that of the route, else of the provider, else of the environment, and none where that is said", () => {
    folder.write(`
providers:
  openai:
    proxy: http://provider:1
    routes:
      - { base_url: "https://a.test/v1", proxy: "https://user:se%20cret@route:2" }
      - { base_url: "https://b.test/v1" }
      - { base_url: "https://c.test/v1", proxy: none }
  bedrock: { region: us-east-1, proxy: none }
  mistral: { routes: [{ base_url: "http://d.test/v1" }] }
`)
    const environment = { HTTPS_PROXY: "http://environment:3", HTTP_PROXY: "http://plain:4" }
    assert.deepStrictEqual(waysOf(environment), [
      { proxy: "https://user:se%20cret@route:2" },
      { proxy: "http://provider:1" },
      undefined
    ])
    assert.deepStrictEqual(waysOf(environment, "bedrock"), [undefined])
    assert.deepStrictEqual(waysOf(environment, "mistral"), [{ proxy: "http://plain:4" }])
    assert.deepStrictEqual(folder.load({ ...environment, NO_PROXY: "a,b c" }).proxies, {
      http: "http://plain:4",
      https: "http://environment:3",
      none: ["a", "b", "c"]
    })
  })

  it("has the authorities and the certificate that lie where the file says, from where it lies itself", () => {
    const authority = makeAuthority()
    const client = authority.issue("tollgate")
    folder.write(authority.cert, "etc/ca.pem")
    folder.write(client.cert, "etc/tls/cert.pem")
    folder.write(client.key, "etc/tls/key.pem")
    folder.write(
      `
providers:
  openai:
    routes:
      - { base_url: "https://a.test/v1", ca: ca.pem, client_certificate: tls/cert.pem, client_key: tls/key.pem }
`,
      "etc/gate.yaml"
    )
    assert.deepStrictEqual(waysOf({ TOLLGATE_CONFIG: "etc/gate.yaml" }), [
      { authorities: authority.cert, certificate: client.cert, key: client.key }
    ])
  })

  it.each([
    ["proxy: socks5://proxy:1080", "proxy: must be an http or https address of a proxy"],
    ["proxy: http://proxy/path", "proxy: must be an http or https address of a proxy"],
    ["proxy: http://%zz@proxy", "proxy: must be an http or https address of a proxy"],
    ["ca: missing.pem", "ca: can not read"],
    ["ca: rubbish.pem", "ca: can not be used"],
    ["client_certificate: cert.pem", "client_key: must be set when"],
    ["client_certificate: cert.pem, client_key: other.pem", "client_certificate: can not be used"],
    ["client_certificate: rubbish.pem, client_key: key.pem", "client_certificate: can not be used"]
  ])("is refused where it can not be gone: %s", (line, reason) => {
    const [client, other] = [makeAuthority().issue("a"), makeAuthority().issue("b")]
    folder.write("rubbish", "rubbish.pem")
    folder.write(client.cert, "cert.pem")
    folder.write(client.key, "key.pem")
    folder.write(other.key, "other.pem")
    const refusal = folder.fileRefusal(
      `providers: { openai: { routes: [{ base_url: "https://a.test", ${line.replace(/: (\S+?)(,|$)/g, ': "$1"$2')} }] } }`
    )
    assert.include(refusal, `providers.openai.routes[0].${reason}`)
    assert.notInclude(refusal, "%zz")
  })

  it.each([
    ["cut off", (cert: string) => cert.slice(0, cert.length / 2)],
    ["broken", (cert: string) => cert.replace(/\n[^\n]+/, "\nrubbish")]
  ])("is refused where one of a bundle of authorities is %s, and says which", (_, spoil) => {
    const [first, second, third] = [makeAuthority().cert, makeAuthority().cert, makeAuthority().cert]
    const refusalOf = (...certificates: ReadonlyArray<string>) => {
      folder.write(certificates.map((cert, index) => `# Authority ${index}\n${cert}\n`).join(""), "ca.pem")
      return folder.fileRefusal(
        'providers: { openai: { routes: [{ base_url: "https://a.test", ca: ca.pem }] } }'
      )
    }
    for (const [bundle, place] of [
      [[first, spoil(second), third], "certificate 2 of 3"],
      [[first, second, spoil(third)], "certificate 3 of 3"],
      [[spoil(first)], "certificate 1 of 1"],
      [[makeAuthority().key, first, spoil(second)], "certificate 2 of 2"]
    ] as const)
      assert.include(refusalOf(...bundle), `providers.openai.routes[0].ca: can not be used (${place}: ERR_`)
  })

  it("is refused where its authorities would stand for a place without TLS", () => {
    folder.write(makeAuthority().cert, "ca.pem")
    assert.include(
      folder.fileRefusal('providers: { openai: { routes: [{ base_url: "http://a.test", ca: ca.pem }] } }'),
      "providers.openai.routes[0].base_url: must be https"
    )
  })

  it("is refused where the environment's proxy is none, without telling its password", () => {
    const refusal = folder.refusal({ HTTPS_PROXY: "ftp://user:secret@proxy" })
    assert.include(refusal, "HTTPS_PROXY: must be an http or https address of a proxy")
    assert.notInclude(refusal, "secret")
  })
})
