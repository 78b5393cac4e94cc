/** Bodies that go to codec workers: whole when they arrive, on every way, and beside streams that go on. */
import { assert, describe, it } from "@effect/vitest"
import { assertCharged, useGateway } from "../clients/use-gateway.ts"

const gateway = useGateway()
const mebibyte = 1024 * 1024
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNsaGioBwAFgwKAJ1YgJQAAAABJRU5ErkJggg==",
  "base64"
)
/** A picture whose base64 takes about so many bytes; no two stretches of it are alike. */
const picture = (bytes: number): Buffer => {
  const filling = Buffer.alloc(Math.floor((bytes * 3) / 4))
  for (let at = 0; at < filling.length; at++) filling[at] = (at * 31 + (at >> 8) * 7 + (at >> 16)) & 255
  return Buffer.concat([png, filling])
}
const lastSeen = async () => (await gateway.gateway().seen()).last.at(-1)!

const messagesWith = (model: string, data: string, prompt = "What is it?") => ({
  model,
  max_tokens: 50,
  messages: [
    {
      role: "user",
      content: [
        { type: "image", source: { type: "base64", media_type: "image/png", data } },
        { type: "text", text: prompt }
      ]
    }
  ]
})

describe("a large body", () => {
  it.each(["claude-sonnet-5", "gpt-5.5", "svc/claude-sonnet-5", "svc/nova-pro"])(
    "with an image arrives whole at %s, plain and streamed",
    async (model) => {
      const data = picture(mebibyte).toString("base64")
      for (const stream of [false, true]) {
        const answer = await gateway.post("/v1/messages", { ...messagesWith(model, data), stream })
        assert.strictEqual(answer.status, 200, await answer.text())
        const { body } = await lastSeen()
        assert.isTrue(body.includes(data), "the provider has every byte of the image")
        assertCharged((await gateway.newCalls(1))[0]!, model)
      }
    }
  )

  it("keeps its bytes where the protocol stays the same", async () => {
    const text = `{ "model":"claude-sonnet-5","max_tokens" : 5e1, "messages":[{"role":"user","content":"${"\\u0041é ".repeat(100_000)}"}] }`
    const answer = await gateway.post("/v1/messages", text)
    assert.strictEqual(answer.status, 200)
    assert.strictEqual((await lastSeen()).body, text)
    await gateway.newCalls(1)
  })

  it("that is no JSON, no UTF-8, or lacks something is 400 as a small one is", async () => {
    const long = "a".repeat(mebibyte)
    const content = { role: "user", content: long }
    const bodies: ReadonlyArray<readonly [string | Buffer, string]> = [
      [`{"model":"claude-sonnet-5","messages":[{"role":"user","content":"${long}`, "JSON"],
      [
        Buffer.concat([
          Buffer.from(`{"model":"claude-sonnet-5","a":"${long}`),
          Buffer.from([0xff]),
          Buffer.from('"}')
        ]),
        "UTF-8"
      ],
      [JSON.stringify({ messages: [content] }), "model"],
      [JSON.stringify({ model: "claude-sonnet-5", messages: [content] }), "max_tokens"]
    ]
    for (const [body, named] of bodies) {
      const answer = await fetch(`${gateway.url}/v1/messages`, {
        method: "POST",
        headers: { "x-api-key": gateway.key },
        body: typeof body === "string" ? body : new Uint8Array(body)
      })
      assert.strictEqual(answer.status, 400, named)
      const { error } = (await answer.json()) as { readonly error: { readonly message: string } }
      assert.include(error.message, named)
    }
    await gateway.newCalls(bodies.length)
  })

  it("of 20 MiB is served on every way while a stream beside it goes on", async () => {
    const data = picture(20 * mebibyte - 4_000).toString("base64")
    const streaming = gateway.post("/v1/messages", {
      model: "claude-sonnet-5",
      max_tokens: 5_000,
      stream: true,
      messages: [{ role: "user", content: "[sim: tokens=300 interval=10]" }]
    })
    for (const model of ["claude-sonnet-5", "gpt-5.5", "svc/nova-pro"]) {
      const answer = await gateway.post("/v1/messages", messagesWith(model, data))
      assert.strictEqual(answer.status, 200, await answer.text())
    }
    const edit = await gateway.post("/v1/images/edits", {
      model: "req/gpt-image-2",
      prompt: "A house",
      image: data
    })
    assert.strictEqual(edit.status, 200, await edit.text())
    assert.include(await (await streaming).text(), '"type":"message_stop"')
    await gateway.newCalls(5)
  })

  it("of an answer comes back whole, plain, converted and streamed", async () => {
    for (const model of ["claude-sonnet-5", "gpt-5.5", "svc/nova-pro"]) {
      for (const stream of [false, true]) {
        const answer = await gateway.post("/v1/messages", {
          model,
          max_tokens: 8_000,
          stream,
          messages: [{ role: "user", content: "[sim: big=3000000]" }]
        })
        const text = await answer.text()
        assert.strictEqual(answer.status, 200)
        assert.isAbove(text.length, 3_000_000, `${model} ${stream}`)
      }
    }
    const images = await gateway.post("/v1/images/generations", {
      model: "req/gpt-image-2",
      n: 2,
      prompt: "[sim: big=3000000]"
    })
    const { data } = (await images.json()) as { readonly data: ReadonlyArray<{ readonly b64_json: string }> }
    assert.deepStrictEqual(
      data.map((image) => image.b64_json.length >= 3_000_000),
      [true, true]
    )
    await gateway.newCalls(7)
  })
})
