/** Requests to edit images that come as forms, after RFC 7578 and what the official SDKs send. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { preparePlain } from "../../../src/compute/prepare-plain.ts"
import { readModelName, Unprepared } from "../../../src/compute/read-body.ts"
import { isForm, readForm } from "../../../src/formats/images/form.ts"
import { InvalidRequest, refusable } from "../../../src/formats/json/fields.ts"
import { readImageEditForm } from "../../../src/formats/images/read-edit-form.ts"
import { chatModel } from "../../wire/models.ts"

const model = chatModel({ id: "the-model" })
const png = Buffer.from("\x89PNG\r\n\x1a\n--x\r\n\r\n--", "latin1")
const jpeg = Buffer.from("\xff\xd8\xff\xe0 and more", "latin1")

const encoded = async (parts: ReadonlyArray<readonly [name: string, value: string | Buffer]>) => {
  const form = new FormData()
  for (const [name, value] of parts)
    if (typeof value === "string") form.append(name, value)
    else form.append(name, new Blob([Uint8Array.from(value)]), "a.bin")
  return Buffer.from(await new Response(form).arrayBuffer())
}

const editOf = (bytes: Buffer) => {
  const form = readForm(bytes)
  if (typeof form === "string") throw new Error(form)
  return readImageEditForm(form, bytes)
}

const refusedField = async (parts: Parameters<typeof encoded>[0]) => {
  const bytes = await encoded(parts)
  const read = refusable(() => editOf(bytes))
  return Result.isFailure(read) && read.failure instanceof InvalidRequest ? read.failure.field : "none"
}

const prompt = ["prompt", "a"] as const
const image = ["image", png] as const

describe("a form", () => {
  it("is read into its fields and files, whatever stands in them", async () => {
    const bytes = await encoded([
      ["model", "gpt-image-2"],
      ["prompt", "một con mèo\r\n--x"],
      ["n", "2"],
      ['odd"name', ""],
      image,
      ["mask", jpeg]
    ])
    assert.isTrue(isForm(bytes))
    assert.strictEqual(readModelName(bytes), "gpt-image-2")
    const edit = editOf(bytes)
    assert.strictEqual(edit.count, 2)
    assert.deepStrictEqual(edit.image, { _tag: "Bytes", bytes: png, mediaType: "image/png" })
    assert.deepStrictEqual(edit.overlays, [["mask", { bytes: jpeg, mediaType: "image/jpeg" }]])
    assert.deepStrictEqual(edit.fields.at(-1), ['odd"name', ""])
  })

  it("may hold several images, in their order", async () => {
    const { further, image: first } = editOf(await encoded([prompt, ["image[]", png], ["image[]", jpeg]]))
    assert.strictEqual(first._tag, "Bytes")
    assert.deepStrictEqual(further, [{ bytes: jpeg, mediaType: "image/jpeg" }])
    const many = Array.from({ length: 17 }, () => ["image[]", png] as const)
    assert.strictEqual(await refusedField([prompt, ...many]), "image")
  })

  it.each(["application/octet-stream", "Image/PNG"])(
    "may hold an image without a file name, as %s",
    (type) => {
      const part = (head: string, value: string) =>
        `--b\r\nContent-Disposition: form-data; name="${head}\r\n\r\n${value}\r\n`
      const parts = [
        part(`image"\r\nContent-Type: ${type}`, png.toString("latin1")),
        part('prompt"\r\nContent-Type: text/plain; charset=utf-8', "a")
      ]
      const edit = editOf(Buffer.from(`${parts.join("")}--b--\r\n`, "latin1"))
      assert.deepStrictEqual(edit.image, { _tag: "Bytes", bytes: png, mediaType: "image/png" })
      assert.deepStrictEqual(edit.fields, [["prompt", "a"]])
    }
  )

  it("may name its image by an address", async () => {
    const edit = editOf(await encoded([prompt, ["image_url", "https://example.com/a.png"]]))
    assert.deepStrictEqual(edit.image, {
      _tag: "Url",
      url: "https://example.com/a.png",
      parameter: "image_url"
    })
    assert.deepStrictEqual(edit.fields, [["prompt", "a"]])
  })

  it.each([
    [[image], "prompt"],
    [[prompt], "image"],
    [[prompt, ["image", Buffer.from("text")]], "image"],
    [[prompt, image, ["mask", Buffer.from("text")]], "mask"],
    [[prompt, image, ["mask", png], ["mask", png]], "mask"],
    [[prompt, image, ["prompt_file", png]], "prompt_file"],
    [[prompt, image, ["n", "11"]], "n"],
    [[prompt, image, ["n", "two"]], "n"],
    [[prompt, image, ["stream", "true"]], "stream"],
    [[prompt, image, ["stream", "yes"]], "stream"],
    [[prompt, image, ["num_images", "3"]], "num_images"],
    [[prompt, image, ["svg[model]", "gpt-5.4"]], "svg[model]"],
    [[prompt, image, ["svg[reasoning][effort]", "max"]], "svg[reasoning][effort]"],
    [[prompt, image, ["size", "large"]], "size"],
    [[prompt, image, ["size", "auto"], ["stream", "false"], ["n", "1"]], "none"]
  ] as ReadonlyArray<[Parameters<typeof encoded>[0], string]>)(
    "of %j is refused for its %s",
    async (parts, field) => {
      assert.strictEqual(await refusedField(parts), field)
    }
  )

  it("says each thing that decides its price once, by its own name", async () => {
    for (const [more, field] of [
      [["n", "1"], "n"],
      [["N", "9"], "n"],
      [["n[]", "9"], "n"],
      [["model", "m"], "model"]
    ] as const) {
      const body = await encoded([["model", "m"], prompt, image, ["n", "1"], more])
      try {
        preparePlain({ row: "images_edits", body, model })
        assert.fail(`${field} was taken`)
      } catch (error) {
        assert.instanceOf(error, Unprepared)
        assert.strictEqual((error as Unprepared).field, field)
      }
    }
  })

  it.each([
    ["--x\r\n", "the head of a part does not end"],
    ['--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb', "it ends in the middle of a part"],
    ["--x\r\ncontent-type: text/plain\r\n\r\nb\r\n--x--", "a part of it has no name"],
    [
      '--x\r\ncontent-disposition: form-data; name="a"\r\ncontent-transfer-encoding: base64\r\n\r\nYg==\r\n--x--',
      "its part a is encoded for transfer"
    ],
    [`--x\r\n${"h: v\r\n".repeat(1_000)}\r\n\r\nb\r\n--x--`, "the head of a part does not end"],
    [
      `--x${'\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x'.repeat(101)}--`,
      "it has more than 100 parts"
    ]
  ])("as %j is none: %s", (text, problem) => {
    assert.strictEqual(readForm(Buffer.from(text)), problem)
  })

  it("whose texts are not UTF-8 is none", async () => {
    const bytes = await encoded([["prompt", "m@o"]])
    bytes[bytes.indexOf("m@o") + 1] = 0xe8
    assert.strictEqual(readForm(bytes), "its part prompt is not valid UTF-8")
  })

  it("may begin with an empty line, and its parts may hold what looks like its end", () => {
    const text =
      "\r\n--x \r\nContent-Disposition: form-data; name=a; filename*=utf-8''b\r\n\r\nc\r\n--xy\r\n--x--\r\n"
    const form = readForm(Buffer.from(text))
    assert.isObject(form)
    if (typeof form === "string") return
    assert.deepStrictEqual(form.files, [{ name: "a", bytes: Buffer.from("c\r\n--xy") }])
  })

  it("is what edits of images alone may be", () => {
    const body = Buffer.from('--x\r\ncontent-disposition: form-data; name="model"\r\n\r\nm\r\n--x--')
    assert.throws(
      () => preparePlain({ row: "images_generations", body, model }),
      "not a form, which edits of images alone may be"
    )
  })
})
