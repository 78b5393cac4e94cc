/** Long texts of a request that goes up as it is are weighed where they stand, with the same result as if they were read. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { prepareCall, type PrepareTask } from "../../src/compute/prepare-call.ts"
import type { Unprepared } from "../../src/compute/read-body.ts"
import type { TextEndpoint } from "../../src/domain/call.ts"
import { isJsonObject, type Json } from "../../src/formats/json/json.ts"
import { scanMembers } from "../../src/formats/json/scan.ts"
import { OutputMeter } from "../../src/formats/meter/output-meter.ts"
import { TextMeter } from "../../src/formats/meter/TextMeter.ts"
import { ownRequests } from "../fixtures/read-fixtures.ts"
import { corpora } from "../tokens/corpora.ts"
import { modelNamed } from "../catalogue.ts"

const models = {
  messages: "claude-sonnet-4-6",
  chat_completions: "deepseek-v4-pro",
  responses: "gpt-5.5"
} as const
const texts = corpora()

/** Every text made long, of all kinds of characters. */
const lengthen = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(lengthen)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === "string" && ["text", "content", "output"].includes(name)
        ? `${member} "được" \\ \n\t😀 文字 ${"and so on, ".repeat(3_000)}`
        : lengthen(member!)
    ])
  )
}

/** The same JSON, in which no text stands where one is looked for. */
const hidden = (json: string) =>
  json.replace(
    /"(text|content|output|arguments)":/g,
    (_, name: string) => `"\\u${name.charCodeAt(0).toString(16).padStart(4, "0")}${name.slice(1)}":`
  )

const taskOf = (endpoint: TextEndpoint, model: string, body: string): PrepareTask => ({
  way: { endpoint, protocol: endpoint },
  model: modelNamed(model),
  body: Buffer.from(body),
  anthropicBeta: ""
})

const prepared = (task: PrepareTask) => {
  const { bytes, ...rest } = prepareCall(task)
  return { ...rest, asked: undefined, bytes: JSON.parse(Buffer.from(bytes).toString()) as unknown }
}

describe("a call with long texts", () => {
  it.each(ownRequests())("is prepared as if they had been read: $name", ({ endpoint, request }) => {
    const model = models[endpoint]
    for (const some of [request, lengthen(request)]) {
      const body = JSON.stringify(some)
      for (const written of [body, body.replaceAll('":"', '": "')])
        assert.deepStrictEqual(
          prepared(taskOf(endpoint, model, written)),
          prepared(taskOf(endpoint, model, hidden(written)))
        )
    }
  })

  it.each([
    ["a control character", "\n"],
    ["an escape that is none", "\\x"],
    ["a Unicode escape with too few digits", "\\u12g4"]
  ])("is refused where one holds %s", (_, wrong) => {
    for (const before of [0, 1, 2_000, 16_384 - 3, 40_000]) {
      const content = `${"a".repeat(before)}${wrong}${"b".repeat(2_000)}`
      const body = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"${content}"}]}`
      try {
        prepareCall(taskOf("messages", "claude-sonnet-4-6", body))
        assert.fail("was prepared")
      } catch (error) {
        assert.strictEqual((error as Unprepared).message, "The body is not valid JSON.")
      }
    }
  })
})

describe("a text in JSON", () => {
  const weighed = (json: string) => {
    const meter = new TextMeter()
    const bytes = Buffer.from(json)
    return { isText: meter.addJsonText(bytes, { start: 1, end: bytes.length - 1 }), ...meter }
  }

  it.each(texts)("weighs the same: $name", ({ text }) => {
    for (const some of [text, `x${text}`, `xy${text}`, text.repeat(Math.ceil(40_000 / text.length))]) {
      const json = JSON.stringify(Buffer.from(some).toString())
      const meter = new OutputMeter()
      meter.addBytes(Buffer.from(json), 1, Buffer.from(json).length - 1)
      const { isText, ...sums } = weighed(json)
      assert.isTrue(isText)
      assert.deepInclude({ ...meter }, sums)
    }
  })

  const piece = Schema.Literals([
    "a",
    "word ",
    "\\n",
    "\\\\",
    '\\"',
    "\\u00e9",
    "\\ud83d\\ude00",
    "é",
    "文",
    "😀",
    "\\",
    "\\u12",
    "\n",
    "\u0001",
    "0123456789"
  ])

  it.prop(
    "is one exactly where a parser says so",
    [Schema.Array(piece), Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 6 }))],
    ([pieces, shift]) => {
      const json = `"${"s".repeat(shift)}${pieces.join("")}"`
      const isJson = (() => {
        try {
          return typeof JSON.parse(json) === "string"
        } catch {
          return false
        }
      })()
      // Where a string ends is seen before.
      if (scanMembers(Buffer.from(`{"a":${json}}`)) === undefined) return
      assert.strictEqual(weighed(json).isText, isJson, JSON.stringify(json))
    }
  )
})
