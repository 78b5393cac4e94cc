/** What a test may ask the simulator about itself, and the recordings it may queue. */
import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { Worker } from "node:worker_threads"
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

  it("counts thousands of open streams and lets them all finish", async () => {
    const count = 1000
    const body = messagesBody("[sim: first=300 interval=1 tokens=5]", { stream: true })
    const all = Array.from({ length: count }, async () => (await simulator.post("/v1/messages", body)).text())
    const texts = await Promise.all(all)
    for (const text of texts) assert.include(text, "message_stop")
    const seen = await simulator.seen(`finished=${count}&openStreams=0`)
    assert.strictEqual(seen.finished, count)
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

describe("the simulator elsewhere", () => {
  const hello = async (url: string) => {
    const response = await fetch(`${url}/v1/models`, { headers: { authorization: "Bearer k" } })
    assert.strictEqual(response.status, 200)
    await response.arrayBuffer()
  }

  it("runs on a thread of its own", async () => {
    const worker = new Worker(new URL("../../workers/simulator.ts", import.meta.url), { execArgv: [] })
    const { url } = await new Promise<{ url: string }>((resolve, reject) => {
      worker.once("message", resolve)
      worker.once("error", reject)
    })
    await hello(url)
    const ended = new Promise((resolve) => worker.once("exit", resolve))
    worker.postMessage("close", [])
    assert.strictEqual(await ended, 0)
  })

  it("runs as a process and says where", async () => {
    const child = execFile(process.execPath, ["workers/simulator.ts", "--port", "0"])
    const line = await new Promise<string>((resolve) =>
      child.stdout!.once("data", (data) => resolve(String(data)))
    )
    await hello((JSON.parse(line) as { url: string }).url)
    child.kill()
  })
})
