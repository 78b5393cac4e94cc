import { assert, describe, it } from "@effect/vitest"
import { startLines } from "../../../src/cli/serve/announce.ts"

const settings = { host: "127.0.0.1", port: 40123, simulated: false, hasDashboard: true }
const first = { email: "demo@tollgate.local", password: "a password", keyId: "key_1", secret: "sk-tg-a-key" }

describe("the start", () => {
  it("says where it listens and where customers reach it, when that is not the same", () => {
    assert.deepStrictEqual(startLines({ ...settings, publicUrl: "https://api.example.com" }, undefined), [
      "Tollgate listens on http://127.0.0.1:40123 (dashboard: https://api.example.com/dashboard)",
      "Customers reach it at https://api.example.com"
    ])
  })

  it("says one address once", () => {
    assert.deepStrictEqual(startLines({ ...settings, publicUrl: "http://127.0.0.1:40123" }, undefined), [
      "Tollgate listens on http://127.0.0.1:40123 (dashboard: http://127.0.0.1:40123/dashboard)"
    ])
  })

  it("says so where it serves calls alone", () => {
    const lines = startLines(
      { ...settings, publicUrl: "http://127.0.0.1:40123", hasDashboard: false },
      undefined
    )
    assert.deepStrictEqual(lines, ["Tollgate listens on http://127.0.0.1:40123 (no dashboard)"])
  })

  it("gives a first call that works without the proxy of the public address", () => {
    const lines = startLines({ ...settings, publicUrl: "https://api.example.com" }, first)
    const curl = lines.find((line) => line.includes("curl"))
    assert.include(curl, 'curl http://127.0.0.1:40123/v1/messages -H "x-api-key: sk-tg-a-key"')
    assert.include(lines.join("\n"), "key show key_1")
  })
})
