/** Image generations and edits through the whole gateway: what arrives at the provider, what is refused, what is paid. */
import { createOpenAI } from "@ai-sdk/openai"
import { assert, describe, it } from "@effect/vitest"
import { generateImage } from "ai"
import { createServer } from "node:http"
import OpenAI from "openai"
import { useGateway } from "../clients/use-gateway.ts"
import { readFixture } from "../gateway/recorded-traffic.ts"
import { itWith } from "../shared-folder.ts"
import { listen } from "../listen.ts"

const gateway = useGateway()
const model = "req/gpt-image-2"
const price = 1_000_000_000n

const images = {
  png: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNsaGioBwAFgwKAJ1YgJQAAAABJRU5ErkJggg==",
  jpg: Buffer.from("ffd8ffe000104a46494600010100000100010000ffd9", "hex").toString("base64"),
  webp: Buffer.from("RIFF\x10\x00\x00\x00WEBPVP8 ", "latin1").toString("base64"),
  gif: Buffer.from("GIF89a\x01\x00\x01\x00", "latin1").toString("base64")
}

const generate = (more: object) =>
  gateway.post("/v1/images/generations", { model, prompt: "A house", ...more })
const edit = (more: object) => gateway.post("/v1/images/edits", { model, prompt: "A red house", ...more })

interface Answer {
  readonly data: ReadonlyArray<unknown>
  readonly error: { readonly type: string; readonly message: string; readonly param: string | null }
}
const jsonOf = async (answer: Response) => (await answer.json()) as Answer

const lastSeen = async () => (await gateway.gateway().seen()).last.at(-1)!

/** The fields and the file of a multipart body, by a reader that is not ours. */
const readForm = (body: string, headers: Readonly<Record<string, string>>) =>
  new Response(Buffer.from(body, "utf8"), {
    headers: { "content-type": headers["content-type"]! }
  }).formData()

describe("image generations", () => {
  it("are paid by the image, whatever number was asked for and comes back", async () => {
    for (const [more, count] of [
      [{}, 1],
      [{ n: 3, size: "1024x1024" }, 3],
      [{ n: 3, prompt: "[sim: images=2]" }, 2],
      [{ n: 1, prompt: "[sim: images=4]" }, 4],
      [{ n: 10 }, 10]
    ] as const) {
      const answer = await generate(more)
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("x-svc-cost-vnd"), String(1000 * count))
      assert.lengthOf((await jsonOf(answer)).data, count)
      const [row] = await gateway.newCalls(1)
      assert.strictEqual(row!.cost_micro_vnd, price * BigInt(count))
      assert.strictEqual(row!.units, count)
    }
  })

  it("without any image in the answer are 502 and cost nothing", async () => {
    for (const prompt of ["[sim: images=0]", "[sim: body=text]", "[sim: body=empty]", "[sim: body=short]"]) {
      const answer = await generate({ prompt })
      assert.strictEqual(answer.status, 502, prompt)
      const [row] = await gateway.newCalls(1)
      assert.deepStrictEqual([row!.status, row!.cost_micro_vnd], [502, 0n])
    }
  })

  it("without any image in the answer stand as failures of their route", async () => {
    const ratio = async () => {
      const metrics = await fetch(`${gateway.url}/metrics`).then((answer) => answer.text())
      return Number(/^tollgate_route_success_ratio\{route="openai#0"\} (.*)$/m.exec(metrics)?.[1])
    }
    await generate({})
    const before = await ratio()
    await generate({ prompt: "[sim: images=0]" })
    assert.isBelow(await ratio(), before)
    await gateway.newCalls(2)
  })

  it.each([
    [{ prompt: "" }, "prompt"],
    [{ prompt: 5 }, "prompt"],
    [{ n: 0 }, "n"],
    [{ n: 1.5 }, "n"],
    [{ n: "2" }, "n"],
    [{ n: 11 }, "n"],
    [{ size: "big" }, "size"],
    [{ size: "0x10" }, "size"],
    [{ size: 1024 }, "size"],
    [{ size: "1024×1024" }, "size"]
  ])("with %j are refused by the name of the field", async (more, field) => {
    const answer = await generate(more)
    assert.strictEqual(answer.status, 400)
    const { error } = await jsonOf(answer)
    assert.strictEqual(error.param, field)
    assert.include(error.message, field)
    assert.strictEqual((await gateway.newCalls(1))[0]!.cost_micro_vnd, 0n)
  })

  itWith("fixtures", "pass the recorded answer on byte for byte", async () => {
    const recorded = JSON.parse(readFixture("images/generation.json")) as {
      readonly response: { readonly body: Answer }
    }
    const body = Buffer.from(JSON.stringify(recorded.response.body))
    await gateway.replay({ path: "/v1/images/generations", body, contentType: "application/json" })
    const answer = await generate({})
    assert.strictEqual(answer.status, 200)
    assert.isTrue(Buffer.from(await answer.arrayBuffer()).equals(body))
    const [row] = await gateway.newCalls(1)
    assert.strictEqual(row!.units, recorded.response.body.data.length)
  })

  it("work with the AI SDK, which asks for base64 where it does not know the model", async () => {
    const provider = createOpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key })
    const { images: made } = await generateImage({ model: provider.image(model), prompt: "A house" })
    assert.lengthOf(made, 1)
    const [row] = await gateway.newCalls(1)
    assert.strictEqual(row!.cost_micro_vnd, price)
  })

  it("work with the official client", async () => {
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 })
    const answer = await client.images.generate({ model, prompt: "A house", n: 2 })
    assert.lengthOf(answer.data!, 2)
    await gateway.newCalls(1)
  })
})

describe("image edits", () => {
  const fields = ["image", "image_url", "reference_image", "ref_image"] as const
  const forms = Object.entries(images).flatMap(([type, base64]) => [
    [type, base64] as const,
    [type, `data:image/${type === "jpg" ? "jpeg" : type};base64,${base64}`] as const
  ])

  it.each(fields)(
    "with their image in %s arrive as multipart, as base64 and as data URL, of every type",
    async (field) => {
      for (const [type, image] of forms) {
        const answer = await edit({ [field]: image, n: 2, size: "1024x1024", user: 'quote " and\r\nline' })
        assert.strictEqual(answer.status, 200, await answer.clone().text())
        const seen = await lastSeen()
        assert.match(seen.headers["content-type"]!, /^multipart\/form-data; boundary=/)
        if (type === "png") {
          const form = await readForm(seen.body, seen.headers)
          assert.strictEqual(form.get("model"), "gpt-image-2")
          assert.strictEqual(form.get("prompt"), "A red house")
          assert.strictEqual(form.get("n"), "2")
          assert.strictEqual(form.get("user"), 'quote " and\r\nline')
          assert.strictEqual((form.get("image") as File).name, "image.png")
          for (const name of fields) if (name !== "image") assert.isNull(form.get(name))
        }
        const [row] = await gateway.newCalls(1)
        assert.strictEqual(row!.cost_micro_vnd, 2n * price)
      }
    }
  )

  it.each([
    ["no image", {}, "image"],
    ["what is no base64", { image: "no image" }, "image"],
    ["what is no image", { ref_image: Buffer.from("plain text, no image").toString("base64") }, "ref_image"],
    ["an SVG", { image: `data:image/svg+xml,<svg/>` }, "image"],
    ["an empty image", { image: "" }, "image"],
    ["a number", { image: 5 }, "image"],
    ["a wrong size", { image: images.png, size: "x" }, "size"],
    ["no prompt", { image: images.png, prompt: null }, "prompt"]
  ])("with %s are refused by the name of the field", async (_, more, field) => {
    const answer = await edit(more)
    assert.strictEqual(answer.status, 400)
    assert.strictEqual((await jsonOf(answer)).error.param, field)
    assert.strictEqual((await gateway.newCalls(1))[0]!.cost_micro_vnd, 0n)
  })

  it("never reach the inside of the network, by whatever name it is called", async () => {
    let reached = 0
    const inside = createServer((_, answer) => {
      reached++
      answer.setHeader("content-type", "image/png").end(Buffer.from(images.png, "base64"))
    })
    const port = await listen(inside)
    const urls = [
      `http://127.0.0.1:${port}/a.png`,
      `http://localhost:${port}/a.png`,
      `http://2130706433:${port}/a.png`,
      `http://0x7f.1:${port}/a.png`,
      `http://0177.0.0.1:${port}/a.png`,
      `http://[::1]:${port}/a.png`,
      `http://[::ffff:127.0.0.1]:${port}/a.png`,
      `http://0.0.0.0:${port}/a.png`,
      `http://127.0.0.1.:${port}/a.png`,
      `http://user:pass@127.0.0.1:${port}/a.png`,
      "http://169.254.169.254/latest/meta-data",
      "http://10.0.0.1/a.png",
      "http://192.168.1.1/a.png",
      "http://172.16.0.1/a.png",
      "http://100.64.0.1/a.png",
      "http://[fd00::1]/a.png",
      "http://[fe80::1]/a.png",
      "http:///a.png",
      "https://nowhere.invalid/a.png",
      gateway.gateway().simulatorUrl
    ]
    for (const image_url of urls) {
      const answer = await edit({ image_url })
      assert.strictEqual(answer.status, 400, image_url)
      const { error } = await jsonOf(answer)
      assert.strictEqual(error.type, "invalid_request_error")
      assert.strictEqual(error.param, "image_url")
    }
    // The same guard stands before images by URL for models that take bytes only.
    for (const url of urls.slice(0, 6)) {
      const source = { type: "url", url }
      const content = [
        { type: "image", source },
        { type: "text", text: "What is it?" }
      ]
      const body = { model: "svc/nova-pro", max_tokens: 50, messages: [{ role: "user", content }] }
      assert.strictEqual((await gateway.post("/v1/messages", body)).status, 400, url)
    }
    assert.strictEqual(reached, 0)
    inside.close()
    for (const row of await gateway.newCalls(urls.length + 6)) assert.strictEqual(row.cost_micro_vnd, 0n)
  })

  it("are not even fetched for a wallet that can not pay, nor are images of a text call", async () => {
    const { key } = await gateway.gateway().account("0")
    const headers = { "x-api-key": key }
    // Fetched, it would be refused as an address inside.
    const url = "http://127.0.0.1/a.png"
    const content = [{ type: "image", source: { type: "url", url } }]
    const text = { model: "svc/nova-pro", max_tokens: 50, messages: [{ role: "user", content }] }
    const refused = await gateway.post("/v1/messages", text, headers)
    assert.strictEqual(refused.status, 402, await refused.text())
    const form = { model, prompt: "A red house", image_url: url }
    assert.strictEqual((await gateway.post("/v1/images/edits", form, headers)).status, 402)
  })

  it("that fail upstream in any way cost nothing", async () => {
    const faults: ReadonlyArray<readonly [string, number]> = [
      ["status=400", 400],
      ["status=429", 429],
      ["status=500", 502],
      ["status=401", 502],
      ["cut_after=1", 502],
      ["end_after=1", 502],
      ["body=html", 502],
      ["images=0", 502]
    ]
    for (const [directive, status] of faults) {
      for (const call of [generate, edit]) {
        const answer = await call({
          prompt: `[sim: ${directive}]`,
          image: images.png,
          ...(call === generate && { image: undefined })
        })
        assert.strictEqual(answer.status, status, directive)
        const [row] = await gateway.newCalls(1)
        assert.deepStrictEqual([row!.status, row!.cost_micro_vnd], [status, 0n], directive)
      }
    }
  })
})
