/** Every fault a caller can order happens, and is seen. */
import { assert, describe, it } from "@effect/vitest"
import { connect } from "node:net"
import { vi } from "vitest"
import { chatBody, messagesBody, streams, useSimulator } from "./ask.ts"
import { until } from "../until.ts"

const simulator = useSimulator()

/** The whole body, or what of it came before the connection broke. */
const readAll = async (response: Response) => {
  let text = ""
  const decoder = new TextDecoder("latin1")
  try {
    for await (const chunk of response.body!) text += decoder.decode(chunk as Uint8Array, { stream: true })
    return { text, broken: false }
  } catch {
    return { text, broken: true }
  }
}

const eventsIn = (text: string) => text.split("\n\n").filter((event) => event.trim() !== "").length

describe.each(streams)("a %s stream", (name, path, body) => {
  const ask = async (directive: string) =>
    readAll(await simulator.post(path, body(`Hello [sim: ${directive}]`)))
  const errorMark = name === "bedrock" ? "throttlingException" : '"error"'

  it("says the same thing every time", async () => {
    const withoutIds = (text: string) =>
      text.replace(/_[0-9a-zA-Z]{20,}|chatcmpl-\w+|"(created|created_at|completed_at)":\d+/g, "")
    const [first, second] = [await ask("tokens=40"), await ask("tokens=40")]
    assert.isFalse(first.broken)
    assert.strictEqual(withoutIds(second.text), withoutIds(first.text))
  })

  it("fails in its protocol's way and then ends", async () => {
    const { text, broken } = await ask("fail_after=4")
    assert.isFalse(broken)
    assert.include(text, errorMark)
    assert.notInclude(text, "[DONE]")
  })

  it("is cut after so many events", async () => {
    const { text, broken } = await ask("cut_after=4")
    assert.isTrue(broken)
    if (name !== "bedrock") assert.strictEqual(eventsIn(text), 4)
  })

  it("ends cleanly without its end after so many events", async () => {
    const { text, broken } = await ask("end_after=4")
    assert.isFalse(broken)
    if (name !== "bedrock") assert.strictEqual(eventsIn(text), 4)
  })

  it("holds an event that can not be parsed", async () => {
    const good = await ask("tokens=3")
    const bad = await ask("tokens=3 rubbish_after=2")
    assert.isFalse(bad.broken)
    assert.isAbove(bad.text.length, good.text.length)
  })

  it("hangs when told to, and notices that the caller has left", async () => {
    for (const place of ["headers", "first", "after:3"]) {
      const leave = new AbortController()
      const response = fetch(simulator.url(path), {
        method: "POST",
        signal: leave.signal,
        headers: { authorization: "Bearer k", "x-api-key": "k", "anthropic-version": "2023-06-01" },
        body: JSON.stringify(body(`[sim: hang=${place}]`))
      })
      if (place === "headers") await simulator.seen("started=1")
      else await (await response).body!.getReader().read()
      leave.abort()
      await response.catch(() => undefined)
      const seen = await simulator.seen("aborted=1&openStreams=0")
      assert.strictEqual(seen.aborted, 1, place)
      assert.isTrue(seen.last.at(-1)!.aborted)
      await simulator.control("reset", "")
    }
  })

  it("trickles, pauses and starts late without losing a byte", async () => {
    const whole = await ask("tokens=6")
    for (const pace of ["drip=97/1", "interval=1", "first=5 interval=1", "latency=5"]) {
      const slow = await ask(`tokens=6 ${pace}`)
      assert.isFalse(slow.broken)
      assert.strictEqual(slow.text.slice(0, 20), whole.text.slice(0, 20))
      assert.isAtLeast(slow.text.length, whole.text.length - 60, pace)
    }
  })

  it("gives usage as the settings say", async () => {
    const mark = /"(output_tokens|completion_tokens|outputTokens)":(\d+)/g
    const counts = async (usage: string) => {
      const { text } = await readAll(
        await simulator.post(path, {
          ...body(`[sim: usage=${usage}]`),
          ...(name === "chat" ? { stream_options: { include_usage: true } } : {})
        })
      )
      return [...text.matchAll(mark)].map(([, , count]) => Number(count))
    }
    assert.deepStrictEqual(await counts("none"), [])
    assert.strictEqual((await counts("zero")).at(-1), 0)
    assert.isAbove((await counts("absurd")).at(-1)!, 1e12)
  })

  it("is refused before it begins with the status asked for", async () => {
    const response = await simulator.post(path, body("[sim: status=429 retry-after=3]"))
    assert.strictEqual(response.status, 429)
    assert.strictEqual(response.headers.get("retry-after"), "3")
    assert.include(response.headers.get("content-type"), "application/json")
    await response.arrayBuffer()
  })
})

describe("lines of text", () => {
  it("carry comments, pings and CR LF when asked for", async () => {
    const ask = async (directive: string) =>
      (
        await readAll(
          await simulator.post("/v1/messages", messagesBody(`[sim: ${directive}]`, { stream: true }))
        )
      ).text
    assert.match(await ask("comments=1"), /\n\n: the simulator is well\n\n/)
    const crlf = await ask("crlf=1")
    assert.notMatch(crlf, /[^\r]\n/)
    assert.isAbove((await ask("tokens=20 ping=2")).split("event: ping").length, 10)
  })
})

describe("a plain answer", () => {
  const ask = (directive: string) => simulator.post("/v1/chat/completions", chatBody(`[sim: ${directive}]`))

  it("breaks off in the middle of its body", async () => {
    for (const fault of ["cut_after=0", "body=short"]) {
      const response = await ask(fault)
      const announced = Number(response.headers.get("content-length"))
      const { text, broken } = await readAll(response)
      assert.isTrue(broken, fault)
      assert.isBelow(text.length, announced)
      assert.isAbove(announced, 100)
    }
  })

  it("is no JSON, half JSON, a web page or nothing", async () => {
    for (const fault of ["rubbish_after=0", "end_after=0", "body=text", "body=html", "body=empty"]) {
      const response = await ask(fault)
      assert.strictEqual(response.status, 200)
      const { text, broken } = await readAll(response)
      assert.isFalse(broken)
      assert.throws(() => JSON.parse(text), undefined, undefined, fault)
    }
  })

  it("fails as overloaded where a stream would fail under way", async () => {
    assert.strictEqual((await ask("fail_after=3")).status, 503)
    assert.strictEqual(
      (await simulator.post("/v1/messages", messagesBody("[sim: fail_after=3]"))).status,
      529
    )
  })

  it("comes in drops and in full", async () => {
    const { text } = await readAll(await ask("drip=50/1"))
    assert.strictEqual(JSON.parse(text).object, "chat.completion")
  })

  it("is no longer watched over once a slow reader has it", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
    try {
      const response = await ask("big=16000000 drip=16000000/1")
      // Until the simulator sees that nobody reads.
      await until(() => vi.getTimerCount() > 0)
      const { text } = await readAll(response)
      assert.strictEqual(JSON.parse(text).object, "chat.completion")
      assert.strictEqual(vi.getTimerCount(), 0)
    } finally {
      vi.useRealTimers()
    }
  })

  it("takes settings from the header, the model's name and the defaults, and refuses those it does not know", async () => {
    const plain = chatBody("Hello")
    assert.strictEqual(
      (await simulator.post("/v1/chat/completions", plain, { "x-sim": "status=500" })).status,
      500
    )
    const named = { ...plain, model: "gpt-5.5@status=503" }
    assert.strictEqual((await simulator.post("/v1/chat/completions", named)).status, 503)
    await simulator.control("defaults", "status=404")
    assert.strictEqual((await simulator.post("/v1/chat/completions", plain)).status, 404)
    await simulator.control("reset", "")
    const unknown = await ask("latencyy=3")
    assert.strictEqual(unknown.status, 400)
    assert.include(await unknown.text(), "latencyy")
  })
})

describe("a reader that pauses", () => {
  const bytes = 64 * 1024 * 1024

  it.each(streams)(
    "stops a %s stream of many megabytes, which goes on to its end afterwards",
    async (_, path, body) => {
      const socket = connect(Number(new URL(simulator.url("/")).port), "127.0.0.1")
      const json = JSON.stringify(body(`[sim: big=${bytes}]`))
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: simulator\r\nx-api-key: k\r\nauthorization: Bearer k\r\nanthropic-version: 2023-06-01\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n${json}`
      )
      await new Promise((resolve) => socket.once("readable", resolve))
      const sent = async () => (await simulator.seen("started=1")).last.at(-1)!.bytesSent
      let before = -1
      let now = await sent()
      while (now !== before) {
        before = now
        now = await sent()
      }
      assert.isBelow(now, bytes / 4)
      let received = 0
      socket.on("data", (chunk) => {
        received += chunk.length
      })
      await new Promise((resolve) => socket.once("end", resolve))
      socket.destroy()
      assert.isAbove(received, bytes)
      assert.isAtLeast(await sent(), bytes)
    }
  )
})
