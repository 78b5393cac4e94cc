/** Nothing of the way we reach a provider stands in what a caller is told. */
import { assert, describe, it } from "@effect/vitest"
import type { ProviderSettings } from "../../src/config/settings.ts"
import type { StreamFailure } from "../../src/formats/errors/stream-failure.ts"
import { hideSecrets } from "../../src/gateway/hide-secrets.ts"
import { providerOf } from "../upstream/stub-providers.ts"

const key = "Zx81-Tollgate_Q7nV3fKd0pLwYt6"
const providerWith = (
  apiKey: string,
  baseUrl = "https://models.acme-internal.example:8443/v1"
): ProviderSettings => providerOf([{ id: "acme#0", baseUrl, apiKey, priority: 1, weight: 1 }])

const told = (message: string, more = {}, provider = providerWith(key)) =>
  hideSecrets<StreamFailure>({ type: "invalid_request_error", message, ...more }, provider)

/** The longest part of the key that stands in the text, blanks left out. */
const longestPart = (text: string): number => {
  const solid = text.replaceAll(/\s/g, "")
  for (let length = key.length; length > 0; length--)
    for (let at = 0; at + length <= key.length; at++)
      if (solid.includes(key.slice(at, at + length))) return length
  return 0
}

describe("a provider's key in its message", () => {
  it.each([
    ["whole", key],
    ["cut by a blank", `${key.slice(0, 9)} ${key.slice(9)}`],
    ["cut by many", [...key].join(" ")],
    ["over two lines", `${key.slice(0, 20)}\n    ${key.slice(20)}`],
    ["at its head", `${key.slice(0, 17)}…`],
    ["at its tail", `…${key.slice(-14)}`],
    ["in a header", `Authorization: Bearer ${key}`],
    ["in an address", `http://proxy/?key=${encodeURIComponent(key)}&b=1`],
    ["at the end of what is read", `${"x ".repeat(990)}${key}`]
  ])("is hidden %s", (_, shown) => {
    const { message } = told(`Not known: ${shown}; try another`)
    assert.isBelow(longestPart(message), 10, message)
    assert.isAtMost(message.length, 2_000)
  })

  it("leaves the words around it", () => {
    assert.strictEqual(
      told(`The key ${key} is wrong, ask again`).message,
      "The key [key] is wrong, ask again"
    )
    assert.strictEqual(told("max_tokens must be at least 1").message, "max_tokens must be at least 1")
  })

  it.each([0, 1, 2])("is hidden in base64 with %i bytes before it, and in hex", (before) => {
    const bytes = Buffer.from(`${"user:".slice(0, before)}${key}:`)
    const forms = [bytes.toString("base64"), bytes.toString("base64url"), bytes.toString("hex")]
    for (const form of [...forms, forms[2]!.toUpperCase()]) {
      const { message } = told(`Authorization: Basic ${form}.`)
      for (let at = 4; at + 12 <= form.length - 4; at++)
        assert.notInclude(message, form.slice(at, at + 12), form)
    }
  })

  it.each([
    ["letter by letter", [...key].join(".")],
    ["quoted in pieces", `"${key.slice(0, 9)}" + "${key.slice(9, 18)}" + "${key.slice(18)}"`],
    ["in small letters", key.toLowerCase()],
    ["in capitals", key.toUpperCase()],
    ["in escapes of JSON", [...key].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join("")],
    ["in escapes of C", [...key].map((one) => `\\x${one.charCodeAt(0).toString(16)}`).join("")],
    ["wholly percent-encoded", [...key].map((one) => `%${one.charCodeAt(0).toString(16)}`).join("")],
    ["in character references", [...key].map((one) => `&#${one.charCodeAt(0)};`).join("")],
    ["as a list of bytes", JSON.stringify([...Buffer.from(key)])]
  ])("is hidden %s", (_, shown) => {
    assert.match(
      told(`Not known: ${shown}, try another`).message,
      /^Not known: \W{0,2}\[key\]\W{0,2}, try another$/
    )
  })

  it("is hidden where it is short, but not in ordinary words", () => {
    assert.strictEqual(
      told("Key simulated is bad", {}, providerWith("simulated")).message,
      "Key [key] is bad"
    )
    assert.strictEqual(told("Key test is bad", {}, providerWith("test")).message, "Key test is bad")
  })

  it("is hidden where it is AWS's", () => {
    const aws = {
      region: "us-east-1",
      inferenceProfile: "",
      accessKeyId: "AKIAIOSFODNN7EXAMPLE",
      secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      sessionToken: "IQoJb3JpZ2luX2VjEXAMPLETOKEN==",
      bearerToken: undefined,
      profile: undefined
    }
    const { message } = told(Object.values(aws).join(" and "), {}, { ...providerWith(""), aws })
    for (const secret of [aws.accessKeyId, aws.secretAccessKey, aws.sessionToken])
      assert.notInclude(message, secret)
  })
})

describe("a proxy on the way to a provider", () => {
  it("is told of by neither its address nor its credentials", () => {
    const route = { id: "acme#0", baseUrl: "https://api.example", apiKey: key, priority: 1, weight: 1 }
    const passage = { proxy: "http://gateway-user:s3cret%2Fwith-a-slash@proxy.inside.example:3128" }
    const credentials = Buffer.from("gateway-user:s3cret/with-a-slash").toString("base64")
    const { message } = told(
      `Via proxy.inside.example:3128 as gateway-user with s3cret/with-a-slash, Basic ${credentials}`,
      {},
      providerOf([{ ...route, passage }])
    )
    assert.notMatch(message, /inside|gateway-user|s3cret|slash/)
    for (let at = 4; at + 12 <= credentials.length - 4; at++)
      assert.notInclude(message, credentials.slice(at, at + 12))
  })
})

describe("a provider's field and code", () => {
  it("pass as they are where they tell nothing of us", () => {
    const details = { error_code: "thread_not_found" }
    const mended = { param: "messages[0].content", code: "context_length_exceeded", details }
    assert.deepInclude(told("no", mended), mended)
  })

  it.each([
    key,
    key.slice(0, 12),
    Buffer.from(key).toString("base64url"),
    "sk-proj-abcdefghij",
    "tg-mgmt-0123456789",
    "10.0.0.7"
  ])("are left out where they are %s", (secret) => {
    const shown = told("no", { param: secret, code: secret, details: { unsupported: [secret] } })
    assert.deepStrictEqual(shown, { type: "invalid_request_error", message: "no" })
  })
})

describe("what a provider tells of itself", () => {
  it("masks keys, addresses and account names", () => {
    const { message } = told(
      "Bad key sk-proj-abcdefghij at https://api.host.example/v1 for org-AbCdEf123456, see arn:aws:bedrock:us-east-1:123456789012:model/x"
    )
    assert.strictEqual(message, "Bad key [key] at [address] for [account], see [resource]")
  })

  it.each([
    ["from MODELS.acme-internal.example:8443 directly", "from [address] directly"],
    ["upstream 10.1.2.3:8080 refused", "upstream [address] refused"],
    ["upstream fd12:3456::9 refused, at 12:30:45", "upstream [address] refused, at 12:30:45"],
    [
      "limit of organization 3f2504e0-4f89-41d3-9a0c-0305e82c3301 reached",
      "limit of organization [account] reached"
    ],
    ["(org: 3f2504e0-4f89-41d3-9a0c-0305e82c3301)", "(org: [account])"],
    ["in account 123456789012.", "in account [account]."],
    ["because your account 2101234567 has exceeded", "because your account [account] has exceeded"],
    [
      "Your account cq3f1k2m3n4p5q6r7s8t<ak-f94zcrj6ax1111aqsyq1> request reached max RPM",
      "Your account [account]<[key]> request reached max RPM"
    ],
    [
      "Team: 3f2504e0-4f89-41d3-9a0c-0305e82c3301, API key ID: 4f2504e0-4f89-41d3-9a0c-0305e82c3301, Model: m",
      "Team: [account], API key ID: [account], Model: m"
    ],
    ["Publisher model projects/acme-prod-17/locations/x", "Publisher model [resource]/locations/x"]
  ])("%s", (message, shown) => {
    assert.strictEqual(told(message).message, shown)
  })

  it("masks the account in the path of our address", () => {
    const provider = providerWith(
      key,
      "https://gateway.example/v1/0123456789abcdef0123456789abcdef/acme/openai"
    )
    assert.notInclude(
      told("No route /v1/0123456789abcdef0123456789abcdef/acme", {}, provider).message,
      "cdef0123"
    )
  })

  it("takes no long time for a long message", () => {
    for (const unit of ["a.", "a ", "org id ", "1.1.1.", "::", "projects/"])
      assert.isAtMost(told(unit.repeat(100_000)).message.length, 2_000)
  })
})
