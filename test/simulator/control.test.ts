/** What a test may ask the simulator about itself, and the recordings it may queue. */
import { assert, describe, it } from "@effect/vitest"
import { chatBody, messagesBody, useSimulator } from "./ask.ts"

const simulator = useSimulator()

describe("observation", () => {
  it("tells what arrived, byte for byte, and what was sent", async () => {
    const body = '{"model":"gpt-5.5",  "messages":[{"role":"user","content":"Chào"}]}'
    const response = await simulator.post("/any/prefix/v1/chat/completions?beta=true", body, {
      "x-marker": "kept"
    })
    const answer = await response.text()
    const seen = await simulator.seen("finished=1")
    assert.deepInclude(seen, {
      started: 1,
      finished: 1,
      aborted: 0,
      openStreams: 0,
      byModel: { "gpt-5.5": 1 }
    })
    const [call] = seen.last
    assert.strictEqual(call!.body, body)
    assert.strictEqual(call!.path, "/any/prefix/v1/chat/completions?beta=true")
    assert.strictEqual(call!.headers["x-marker"], "kept")
    assert.strictEqual(call!.bytesSent, Buffer.byteLength(answer))
  })
})

describe("a replay", () => {
  it("comes back verbatim in the pieces asked for, once, on the path it is meant for", async () => {
    const recorded = Buffer.from('data: {"xin":"chào"}\n\ndata: [DONE]\n\n')
    await simulator.control("replay", {
      path: "/chat/completions",
      status: 200,
      headers: { "content-type": "text/event-stream", "x-recorded": "yes" },
      body: recorded.toString("base64"),
      chunkSizes: [1, 7, 3]
    })
    const other = await simulator.post("/v1/messages", messagesBody("Hello"))
    assert.include(await other.text(), "simulator")
    const replayed = await simulator.post("/v1/chat/completions", chatBody("Hello"))
    assert.strictEqual(replayed.headers.get("x-recorded"), "yes")
    assert.deepStrictEqual(Buffer.from(await replayed.arrayBuffer()), recorded)
    const next = await simulator.post("/v1/chat/completions", chatBody("Hello"))
    assert.include(await next.text(), "chat.completion")
  })

  it("keeps a recorded status, also without pieces and more than once", async () => {
    await simulator.control("replay", {
      path: "/messages",
      status: 529,
      headers: { "content-type": "application/json" },
      body: Buffer.from('{"type":"error"}').toString("base64"),
      times: 2
    })
    for (const expected of [529, 529, 200]) {
      const response = await simulator.post("/v1/messages", messagesBody("Hello"))
      assert.strictEqual(response.status, expected)
      await response.arrayBuffer()
    }
  })
})
