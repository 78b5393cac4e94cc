import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { createServer } from "node:http"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { vi } from "vitest"
import { renewInTime } from "../../src/upstream/renew-in-time.ts"
import { makeBedrockSigner } from "../../src/upstream/sign-bedrock.ts"

const never = () => new Promise<string>(() => {})

describe("credentials that come from elsewhere", () => {
  it("are asked of one source for as long as it answers", async () => {
    const makeSource = vi.fn(() => async () => "key")
    const credentials = renewInTime(makeSource, 20)
    assert.deepStrictEqual([await credentials(), await credentials()], ["key", "key"])
    assert.strictEqual(makeSource.mock.calls.length, 1)
  })

  it("are not waited for longer than a call can wait, and are asked for anew by the next", async () => {
    const sources = [never, async () => "key"]
    const credentials = renewInTime(() => sources.shift()!, 20)
    const waiting = await Promise.allSettled([credentials(), credentials()])
    assert.deepStrictEqual(
      waiting.map(({ status }) => status),
      ["rejected", "rejected"]
    )
    assert.strictEqual(await credentials(), "key")
  })

  it("keep the source that refuses at once", async () => {
    const makeSource = vi.fn(() => () => Promise.reject(new Error("refused")))
    const credentials = renewInTime(makeSource, 20)
    await Promise.allSettled([credentials(), credentials()])
    assert.strictEqual(makeSource.mock.calls.length, 1)
  })
})

describe("a call to Bedrock by a role", () => {
  it.live("fails when AWS does not give credentials in time, and the next is signed once it does", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "tollgate-role-"))
      writeFileSync(join(folder, "token"), "token")
      let isAnswering = false
      const server = createServer((_, response) => {
        if (isAnswering) response.setHeader("content-type", "text/xml").end(assumed)
      }).listen(0, "127.0.0.1")
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          vi.unstubAllEnvs()
          server.closeAllConnections()
          server.close()
          rmSync(folder, { recursive: true })
        })
      )
      yield* Effect.promise(() => vi.waitUntil(() => server.listening))
      const { port } = server.address() as AddressInfo
      for (const name of ["AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
        vi.stubEnv(name, undefined)
      vi.stubEnv("AWS_WEB_IDENTITY_TOKEN_FILE", join(folder, "token"))
      vi.stubEnv("AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/test")
      vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true")
      vi.stubEnv("AWS_ENDPOINT_URL_STS", `http://127.0.0.1:${port}`)
      const sign = makeBedrockSigner(
        { region: "us-east-1", endpoint: "https://bedrock.test" },
        undefined,
        500
      )
      const signed = sign({ operation: "converse", model: "m", body: Buffer.from("{}") })
      assert.isTrue(Exit.isFailure(yield* Effect.exit(signed)))
      isAnswering = true
      const { headers } = yield* signed
      assert.match(headers["authorization"]!, /Credential=AKIDFROMROLE\//)
    })
  )
})

describe("a call to Bedrock by a profile", () => {
  it.effect("is signed by what its file says when the settings are read again", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "tollgate-profile-"))
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          vi.unstubAllEnvs()
          rmSync(folder, { recursive: true })
        })
      )
      vi.stubEnv("AWS_PROFILE", "work")
      vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", join(folder, "credentials"))
      for (const id of ["AKIDFORMER", "AKIDLATER"]) {
        const profile = `[work]\naws_access_key_id = ${id}\naws_secret_access_key = secret\n`
        writeFileSync(join(folder, "credentials"), profile)
        const sign = makeBedrockSigner({ region: "us-east-1", endpoint: "https://bedrock.test" })
        const { headers } = yield* sign({ operation: "converse", model: "m", body: Buffer.from("{}") })
        assert.include(headers["authorization"], `Credential=${id}/`)
      }
    })
  )
})

const assumed = `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
<AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>AKIDFROMROLE</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>
<SessionToken>session</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult>
</AssumeRoleWithWebIdentityResponse>`
