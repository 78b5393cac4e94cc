import { assert, describe, it } from "@effect/vitest"
import { imageEditForm, prepareImageEdit, readImageEdit } from "../../../src/formats/images/edit.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { refusedField } from "../refused-field.ts"
import { gif, jpeg, png, webp } from "./picture-heads.ts"

describe("an image edit", () => {
  const parameters = ["image", "image_url", "reference_image", "ref_image"]

  it.each(parameters)("takes the reference image from %s, in three forms", (parameter) => {
    const url = "https://example.com/cat.png"
    assert.deepStrictEqual(readImageEdit({ prompt: "a", [parameter]: url }).image, {
      _tag: "Url",
      url,
      parameter
    })
    for (const [bytes, mediaType] of [
      [png, "image/png"],
      [jpeg, "image/jpeg"],
      [gif, "image/gif"],
      [webp, "image/webp"]
    ] as const) {
      const base64 = bytes.toString("base64")
      // What a data URL says of itself does not count.
      for (const value of [base64, `data:image/png;base64,${base64}`, `DATA:;base64,${base64}\n`]) {
        const { image } = readImageEdit({ prompt: "a", [parameter]: value })
        assert.deepStrictEqual(image, { _tag: "Bytes", bytes, mediaType })
      }
    }
  })

  it.each([
    [{ prompt: "a" }, "image"],
    [{ image: png.toString("base64") }, "prompt"],
    [{ prompt: "a", image: "" }, "image"],
    [{ prompt: "a", image: 7 }, "image"],
    [{ prompt: "a", image_url: "ftp://example.com/a.png" }, "image_url"],
    [{ prompt: "a", ref_image: Buffer.from("<html>").toString("base64") }, "ref_image"],
    [{ prompt: "a", reference_image: "data:image/png,abc" }, "reference_image"],
    [{ prompt: "a", image: png.toString("base64"), n: 99 }, "n"],
    [{ prompt: "a", image: png.toString("base64"), extra: { a: 1 } }, "extra"]
  ] as ReadonlyArray<[JsonObject, string]>)("%j is refused for its %s", (body, parameter) => {
    assert.strictEqual(refusedField(readImageEdit, body), parameter)
  })

  it("is read in one pass, whatever it holds", () => {
    const image = `${"a ".repeat(7_000_000)}!`
    assert.strictEqual(refusedField(readImageEdit, { prompt: "a", image }), "image")
    const padded = `${png.toString("base64")}${"A".repeat(14_000_000)}`
    assert.strictEqual(readImageEdit({ prompt: "a", image: padded }).image._tag, "Bytes")
  })

  it("goes on as multipart with every plain field and the image as a file", async () => {
    const edit = readImageEdit({
      model: "req/gpt-image-2",
      prompt: "một con mèo\r\n--boundary",
      n: 2,
      size: "512x512",
      quality: "low",
      response_format: "b64_json",
      'odd"name': true,
      background: null,
      image: png.toString("base64")
    })
    assert.strictEqual(edit.count, 2)
    assert.strictEqual(edit.image._tag, "Bytes")
    if (edit.image._tag !== "Bytes") return
    const body = imageEditForm(edit, "gpt-image-2", edit.image, "xyz-boundary")
    const form = await new Response(body, {
      headers: { "content-type": "multipart/form-data; boundary=xyz-boundary" }
    }).formData()
    const file = form.get("image")
    assert.instanceOf(file, File)
    assert.strictEqual(file.name, "image.png")
    assert.strictEqual(file.type, "image/png")
    assert.deepStrictEqual(Buffer.from(await file.arrayBuffer()), png)
    form.delete("image")
    assert.deepStrictEqual(Object.fromEntries(form.entries()), {
      model: "gpt-image-2",
      prompt: "một con mèo\r\n--boundary",
      n: "2",
      size: "512x512",
      quality: "low",
      'odd"name': "true"
    })
  })
})

describe("an image that is to be fetched", () => {
  const edit = readImageEdit({ prompt: "a", n: 2, reference_image: "https://example.com/a.png" })
  const options = { model: "gpt-image-2", makeBoundary: () => "b" }

  it("is asked for by the field that names it", () => {
    assert.deepStrictEqual(prepareImageEdit(edit, options), {
      bytes: new Uint8Array(),
      contentType: "",
      images: 2,
      imageUrl: { url: "https://example.com/a.png", parameter: "reference_image" }
    })
  })

  it("goes on as a file once it has come", () => {
    const image = { bytes: png, mediaType: "image/png" } as const
    assert.deepStrictEqual(prepareImageEdit(edit, { ...options, image }), {
      bytes: imageEditForm(edit, "gpt-image-2", image, "b"),
      contentType: "multipart/form-data; boundary=b",
      images: 2,
      imageUrl: undefined
    })
  })
})

describe("what lies over an image to edit", () => {
  it("goes on as files beside it", async () => {
    const mask = `data:image/png;base64,${png.toString("base64")}`
    const edit = readImageEdit({
      prompt: "a",
      image: jpeg.toString("base64"),
      mask,
      markup: webp.toString("base64")
    })
    assert.deepStrictEqual(edit.fields, [["prompt", "a"]])
    const body = imageEditForm(edit, "gpt-image-2", { bytes: jpeg, mediaType: "image/jpeg" }, "xyz")
    const form = await new Response(body, {
      headers: { "content-type": "multipart/form-data; boundary=xyz" }
    }).formData()
    for (const [name, file, bytes] of [
      ["image", "image.jpg", jpeg],
      ["mask", "mask.png", png],
      ["markup", "markup.webp", webp]
    ] as const) {
      const sent = form.get(name)
      assert.instanceOf(sent, File)
      assert.strictEqual(sent.name, file)
      assert.deepStrictEqual(Buffer.from(await sent.arrayBuffer()), bytes)
    }
  })

  it.each([["https://example.com/mask.png"], ["no image"], [""], [7], [{}]])("is refused as %j", (mask) => {
    const body = { prompt: "a", image: png.toString("base64"), mask }
    assert.strictEqual(refusedField(readImageEdit, body), "mask")
  })
})
