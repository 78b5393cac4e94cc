import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash, createHmac } from "node:crypto"
import {
  bedrockModelId,
  type BedrockCall,
  type BedrockSettings,
  makeBedrockSigner
} from "../../src/upstream/sign-bedrock.ts"

const keyPair = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
}
const endpoint = "https://bedrock-runtime.us-east-1.amazonaws.com"
const now = () => new Date("2015-08-30T12:36:00Z")
const call: BedrockCall = {
  operation: "converse",
  model: "amazon.nova-2-lite-v1:0",
  body: Buffer.from('{"messages":[]}')
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex")
const hmac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest()

/** Signature Version 4 once more, straight from AWS's description of it, over the headers that were signed. */
const expectedSignature = (
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  region: string
) => {
  const signed = /SignedHeaders=([^,]+)/.exec(headers["authorization"]!)![1]!
  const canonicalPath = path.split("/").map(encodeURIComponent).join("/")
  const canonicalHeaders = signed.split(";").map((name) => `${name}:${headers[name]!.trim()}\n`)
  const canonical = ["POST", canonicalPath, "", canonicalHeaders.join(""), signed, sha256(body)].join("\n")
  const date = headers["x-amz-date"]!
  const scope = `${date.slice(0, 8)}/${region}/bedrock/aws4_request`
  const toSign = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n")
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${keyPair.secretAccessKey}`)
  return {
    authorization: `AWS4-HMAC-SHA256 Credential=${keyPair.accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${hmac(key as Buffer, toSign).toString("hex")}`,
    signed: signed.split(";")
  }
}

const sign = (settings: Partial<BedrockSettings>, part: Partial<BedrockCall> = {}) =>
  makeBedrockSigner({ region: "us-east-1", endpoint, ...settings }, now)({ ...call, ...part })

describe("a signed Bedrock request", () => {
  it.effect("carries the signature that AWS's algorithm gives", () =>
    Effect.gen(function* () {
      const { path, headers, origin } = yield* sign(keyPair)
      assert.strictEqual(origin, endpoint)
      assert.strictEqual(path, "/model/amazon.nova-2-lite-v1%3A0/converse")
      const { authorization, signed } = expectedSignature(path, headers, call.body, "us-east-1")
      assert.strictEqual(headers["authorization"], authorization)
      assert.includeMembers(signed, ["host", "content-type", "x-amz-date", "x-amz-content-sha256"])
    })
  )

  it.effect("signs a session token", () =>
    Effect.gen(function* () {
      const { path, headers } = yield* sign({ ...keyPair, sessionToken: "session" })
      assert.strictEqual(headers["x-amz-security-token"], "session")
      const { authorization, signed } = expectedSignature(path, headers, call.body, "us-east-1")
      assert.strictEqual(headers["authorization"], authorization)
      assert.include(signed, "x-amz-security-token")
    })
  )

  it.effect("goes to a configured endpoint, its path kept, and names its port in the signed host", () =>
    Effect.gen(function* () {
      const { origin, path, headers } = yield* sign(
        { ...keyPair, endpoint: "http://127.0.0.1:9002/aws/", region: "eu-west-1" },
        { operation: "invoke-with-response-stream", model: "anthropic.claude-opus-5" }
      )
      assert.strictEqual(origin, "http://127.0.0.1:9002")
      assert.strictEqual(path, "/aws/model/anthropic.claude-opus-5/invoke-with-response-stream")
      assert.strictEqual(headers["host"], "127.0.0.1:9002")
      assert.strictEqual(headers["accept"], "application/vnd.amazon.eventstream")
      assert.strictEqual(
        headers["authorization"],
        expectedSignature(path, headers, call.body, "eu-west-1").authorization
      )
    })
  )

  it.effect("carries a bearer key instead of a signature where one is set", () =>
    Effect.gen(function* () {
      const { headers } = yield* sign({ ...keyPair, bearerToken: "bedrock-api-key-x" })
      assert.strictEqual(headers["authorization"], "Bearer bedrock-api-key-x")
      assert.notProperty(headers, "x-amz-date")
    })
  )

  it.effect("takes credentials from AWS's chain when none are configured", () =>
    Effect.gen(function* () {
      const names = ["AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]
      const before = names.map((name) => [name, process.env[name]] as const)
      const set = (values: ReadonlyArray<readonly [name: string, value: string | undefined]>) => {
        for (const [name, value] of values) {
          if (value === undefined) delete process.env[name]
          else process.env[name] = value
        }
      }
      yield* Effect.addFinalizer(() => Effect.sync(() => set(before)))
      set([
        ["AWS_PROFILE", undefined],
        ["AWS_ACCESS_KEY_ID", "AKIDFROMCHAIN"],
        ["AWS_SECRET_ACCESS_KEY", "secret"]
      ])
      const { headers } = yield* sign({})
      assert.match(headers["authorization"]!, /Credential=AKIDFROMCHAIN\//)
    })
  )
})

describe("the model id that Bedrock is called with", () => {
  it.each([
    ["anthropic.claude-opus-5", "global", "us-east-1", "global.anthropic.claude-opus-5"],
    ["anthropic.claude-opus-5", "us", "us-east-1", "us.anthropic.claude-opus-5"],
    ["anthropic.claude-opus-5", undefined, "us-east-1", "anthropic.claude-opus-5"],
    ["amazon.nova-2-lite-v1:0", "global", "us-east-1", "global.amazon.nova-2-lite-v1:0"],
    ["amazon.nova-pro-v1:0", "global", "eu-west-1", "eu.amazon.nova-pro-v1:0"],
    ["meta.llama4-scout-17b-instruct-v1:0", "global", "us-west-2", "us.meta.llama4-scout-17b-instruct-v1:0"],
    ["meta.llama4-scout-17b-instruct-v1:0", "global", "sa-east-1", "meta.llama4-scout-17b-instruct-v1:0"],
    ["deepseek.v3.2", "us", "us-east-1", "deepseek.v3.2"],
    ["openai.gpt-oss-120b-1:0", "global", "us-east-1", "openai.gpt-oss-120b-1:0"],
    ["us.anthropic.claude-opus-5", "global", "us-east-1", "us.anthropic.claude-opus-5"]
  ])("of %s with profile %s in %s is %s", (model, inferenceProfile, region, expected) => {
    assert.strictEqual(bedrockModelId(model, { region, inferenceProfile }), expected)
  })
})
