/** AWS's binary frames and signatures. */
import { EventStreamCodec } from "@smithy/eventstream-codec"
import { SignatureV4 } from "@smithy/signature-v4"
import { assert, describe, it } from "@effect/vitest"
import { createHash, createHmac } from "node:crypto"
import { simulatorCredentials } from "../../src/simulator/bedrock/authenticate.ts"
import { unexpected, useSimulator } from "./ask.ts"

const simulator = useSimulator()

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("utf8")),
  (text) => Buffer.from(text, "utf8")
)

interface Decoded {
  readonly type: string
  readonly payload: Record<string, unknown>
}

/** Throws where a checksum is wrong. */
const decodeFrames = async (response: Response): Promise<ReadonlyArray<Decoded>> => {
  assert.strictEqual(response.headers.get("content-type"), "application/vnd.amazon.eventstream")
  const bytes = Buffer.from(await response.arrayBuffer())
  const frames: Array<Decoded> = []
  for (let start = 0; start < bytes.byteLength;) {
    const end = start + bytes.readUInt32BE(start)
    const { headers, body } = codec.decode(bytes.subarray(start, end))
    const type = (headers[":event-type"] ?? headers[":exception-type"])!.value as string
    frames.push({ type, payload: JSON.parse(Buffer.from(body).toString()) as Record<string, unknown> })
    start = end
  }
  return frames
}

const toolConfig = {
  tools: [
    {
      toolSpec: {
        name: "look",
        inputSchema: { json: { type: "object", properties: { at: { type: "string" } }, required: ["at"] } }
      }
    }
  ]
}
const ask = (prompt: string) => ({ messages: [{ role: "user", content: [{ text: prompt }] }] })

describe("ConverseStream", () => {
  const path = "/model/amazon.nova-pro-v1%3A0/converse-stream"

  it("sends text, thoughts and tools in valid frames", async () => {
    const body = { ...ask("[sim: tools=two thinking=on tokens=3]"), toolConfig }
    const frames = await decodeFrames(await simulator.post(path, body))
    assert.strictEqual(frames[0]!.type, "messageStart")
    assert.lengthOf(
      frames.filter(({ type }) => type === "contentBlockStart"),
      2
    )
    assert.lengthOf(
      frames.filter(({ type }) => type === "contentBlockStop"),
      4
    )
    assert.deepInclude(frames.at(-2), { type: "messageStop" })
    assert.property(frames.at(-1)!.payload["usage"], "totalTokens")
  })

  it("reports an exception in a frame, and breaks a checksum when told to", async () => {
    const frames = await decodeFrames(await simulator.post(path, ask("[sim: fail_after=3]")))
    assert.strictEqual(frames.at(-1)!.type, "throttlingException")
    const broken = await decodeFrames(await simulator.post(path, ask("[sim: rubbish_after=3]"))).then(
      unexpected,
      String
    )
    assert.include(broken, "checksum")
  })
})

describe("Converse", () => {
  it.each([
    ["thinks", "high"],
    ["does not think", "low"]
  ])("of DeepSeek %s at the effort %s", async (is, effort) => {
    const more = { additionalModelRequestFields: { reasoning_effort: effort } }
    const answer = await simulator.post("/model/deepseek.v3.2/converse", { ...ask("Hi"), ...more })
    assert.strictEqual((await answer.text()).includes("reasoningContent"), is === "thinks")
  })
})

describe("InvokeModelWithResponseStream", () => {
  it("wraps the events of the Messages protocol, metrics at their end", async () => {
    const frames = await decodeFrames(
      await simulator.post("/model/global.anthropic.claude-opus-4-6-v1/invoke-with-response-stream", {
        anthropic_version: "bedrock-2023-05-31",
        max_tokens: 50,
        messages: [{ role: "user", content: "Hello" }]
      })
    )
    const events = frames.map(
      ({ payload }) =>
        JSON.parse(Buffer.from(String(payload["bytes"]), "base64").toString()) as Record<string, unknown>
    )
    assert.strictEqual(events[0]!["type"], "message_start")
    assert.property(events.at(-1), "amazon-bedrock-invocationMetrics")
  })
})

class Sha256 {
  readonly #hash
  constructor(secret?: ArrayBuffer | ArrayBufferView | string) {
    this.#hash =
      secret === undefined ? createHash("sha256") : createHmac("sha256", Buffer.from(secret as Uint8Array))
  }
  update(data: string | Uint8Array) {
    this.#hash.update(data)
  }
  async digest() {
    return new Uint8Array(this.#hash.digest())
  }
  reset() {}
}

describe("AWS signatures", () => {
  const send = async (secretAccessKey: string) => {
    const { hostname, port } = new URL(simulator.url("/"))
    const path = "/model/amazon.nova-pro-v1%3A0/converse"
    const body = JSON.stringify(ask("Hello"))
    const signer = new SignatureV4({
      service: "bedrock",
      region: "us-east-1",
      credentials: { ...simulatorCredentials, secretAccessKey },
      sha256: Sha256
    })
    const signed = await signer.sign({
      method: "POST",
      protocol: "http:",
      hostname,
      port: Number(port),
      path,
      query: {},
      headers: { host: `${hostname}:${port}`, "content-type": "application/json" },
      body
    })
    const { host: _, ...headers } = signed.headers
    const response = await fetch(simulator.url(path), { method: "POST", headers, body })
    return {
      status: response.status,
      error: response.headers.get("x-amzn-errortype"),
      text: await response.text()
    }
  }

  it("of the simulator's own credentials are checked in full", async () => {
    assert.strictEqual((await send(simulatorCredentials.secretAccessKey)).status, 200)
    const wrong = await send("another-secret")
    assert.strictEqual(wrong.status, 403)
    assert.match(wrong.error ?? "", /^InvalidSignatureException/)
  })
})
