/** Image edits as the official client sends them: what arrives at the provider, what is refused, what is paid. */
import { assert, describe, it } from "@effect/vitest"
import OpenAI, { type APIError, BadRequestError } from "openai"
import type { ImageEditParamsNonStreaming } from "openai/resources/images"
import { useGateway } from "../clients/use-gateway.ts"

const gateway = useGateway()
const model = "req/gpt-image-2"
const price = 1_000_000_000n

const images = {
  png: Buffer.from("89504e470d0a1a0a0000", "hex"),
  webp: Buffer.from("RIFF\x10\x00\x00\x00WEBPVP8 ", "latin1"),
  gif: Buffer.from("GIF89a\x01\x00\x01\x00", "latin1")
}

const lastSeen = async () => (await gateway.gateway().seen()).last.at(-1)!

/** The body of a form, by a reader that is not ours. */
const readForm = (body: string, headers: Readonly<Record<string, string>>) =>
  new Response(Buffer.from(body, "utf8"), {
    headers: { "content-type": headers["content-type"]! }
  }).formData()

const fileOf = (type: keyof typeof images) =>
  new File([images[type]], `house.${type}`, { type: `image/${type}` })
const editWithClient = (more: Partial<ImageEditParamsNonStreaming>) =>
  new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 }).images.edit({
    model,
    prompt: "A red house",
    image: fileOf("png"),
    ...more
  })

describe("image edits as forms", () => {
  it("come from the official client as a form, with a mask and of several images", async () => {
    const answer = await editWithClient({ n: 2, size: "auto", mask: fileOf("webp") })
    assert.lengthOf(answer.data!, 2)
    const one = await lastSeen()
    const form = await readForm(one.body, one.headers)
    assert.strictEqual(form.get("model"), "gpt-image-2")
    assert.strictEqual(form.get("size"), "auto")
    assert.strictEqual((form.get("mask") as File).type, "image/webp")
    assert.strictEqual((await gateway.newCalls(1))[0]!.cost_micro_vnd, 2n * price)
    await editWithClient({ image: [fileOf("png"), fileOf("gif")] })
    const several = await lastSeen()
    const files = (await readForm(several.body, several.headers)).getAll("image[]") as ReadonlyArray<File>
    assert.deepStrictEqual(
      files.map(({ type }) => type),
      ["image/png", "image/gif"]
    )
    assert.strictEqual((await gateway.newCalls(1))[0]!.cost_micro_vnd, price)
  })

  it("that are to be drawn as SVG tell the provider so, and choose no other model to draw it", async () => {
    await editWithClient({ output_format: "svg" })
    const { body, headers } = await lastSeen()
    const form = await readForm(body, headers)
    assert.strictEqual(form.get("output_format"), "svg")
    assert.strictEqual(form.get("model"), "gpt-image-2")
    assert.strictEqual((await gateway.newCalls(1))[0]!.cost_micro_vnd, price)
    const svg = { model: "gpt-6.2-astra", reasoning: { effort: "low" } } as const
    const refused = await editWithClient({ output_format: "svg", svg }).catch((error: unknown) => error)
    assert.instanceOf(refused, BadRequestError)
    assert.strictEqual((refused as BadRequestError).param, "svg[model]")
    const [row] = await gateway.newCalls(1)
    assert.deepStrictEqual([row!.status, row!.cost_micro_vnd], [400, 0n])
  })

  it("that come as a form are refused by the name of the field, and cost nothing", async () => {
    const text = new File(["no image"], "house.png", { type: "image/png" })
    for (const [more, field] of [
      [{ image: text }, "image"],
      [{ mask: text }, "mask"],
      [{ n: 11 }, "n"],
      [{ size: "x" }, "size"],
      [{ stream: true }, "stream"],
      [{ prompt: "" }, "prompt"],
      [{ model: "no-such-model" }, "model"]
    ] as unknown as ReadonlyArray<[Partial<ImageEditParamsNonStreaming>, string]>) {
      const failure = await editWithClient(more).then(
        () => undefined,
        (error: unknown) => error as APIError
      )
      assert.strictEqual(failure?.status, field === "model" ? 404 : 400)
      assert.strictEqual(failure?.param, field)
      assert.strictEqual((await gateway.newCalls(1))[0]!.cost_micro_vnd, 0n)
    }
  })

  it("larger than a body may be are refused as such", async () => {
    const large = new File([Buffer.alloc(21 * 1024 * 1024, "a")], "large.png", { type: "image/png" })
    const failure = await editWithClient({ image: large }).then(
      () => undefined,
      (error: unknown) => error as APIError
    )
    assert.strictEqual(failure?.status, 413)
    await gateway.newCalls(1)
  })
})
