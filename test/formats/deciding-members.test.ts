/** Members that decide money or form stand once, under their own names, and are numbers of answers where they say they are. */
import { assert, describe, it } from "@effect/vitest"
import { preparePlain } from "../../src/compute/prepare-plain.ts"
import { prepareCall } from "../../src/compute/prepare-call.ts"
import { Unprepared } from "../../src/compute/read-body.ts"
import type { TextEndpoint } from "../../src/domain/call.ts"
import type { PlainEndpoint } from "../../src/formats/plain-pairs.ts"
import { wayTo } from "../../src/formats/pairs.ts"
import { modelNamed } from "../catalogue.ts"

const bodies: Readonly<Record<TextEndpoint | PlainEndpoint, string>> = {
  messages: '"model":"claude-sonnet-5","max_tokens":9,"messages":[{"role":"user","content":"x"}]',
  chat_completions: '"model":"gpt-5.5","max_completion_tokens":9,"messages":[{"role":"user","content":"x"}]',
  responses: '"model":"gpt-5.5","max_output_tokens":9,"input":"x"',
  images_generations: '"model":"m","prompt":"x"',
  images_edits: '"model":"m","prompt":"x","image":"https://example.com/a.png"',
  audio_speech: '"model":"m","input":"x","voice":"alloy"',
  count_tokens: '"model":"m","messages":[{"role":"user","content":"x"}]'
}
const texts: ReadonlyArray<TextEndpoint> = ["messages", "chat_completions", "responses"]
const isText = (endpoint: string): endpoint is TextEndpoint => texts.some((text) => text === endpoint)

/** What goes up for this body of the endpoint, `more` standing before its usual members. */
const prepare = (endpoint: TextEndpoint | PlainEndpoint, more: string) => {
  const body = Buffer.from(`{${more}${more === "" ? "" : ","}${bodies[endpoint]}}`)
  if (!isText(endpoint)) return preparePlain({ row: endpoint, body, model: modelNamed("claude-sonnet-5") })
  const model = modelNamed(endpoint === "messages" ? "claude-sonnet-5" : "gpt-5.5")
  return prepareCall({ way: wayTo(endpoint, model)!, model, body, anthropicBeta: "" })
}

/** The field by which a body is refused. */
const refusedField = (endpoint: TextEndpoint | PlainEndpoint, more: string): string | undefined => {
  try {
    prepare(endpoint, more)
    return undefined
  } catch (error) {
    if (!(error instanceof Unprepared)) throw error
    assert.include(error.message, error.field!)
    return error.field
  }
}

const endpoints = Object.keys(bodies) as ReadonlyArray<keyof typeof bodies>

describe.each(endpoints)("a request to %s", (endpoint) => {
  it("goes up with members that nobody knows, however often they are there", () => {
    if (endpoint === "images_edits") return
    const odd = '"x":1,"x":{"n":5},"Größe":"n","ñn":2,"MODEL_HINT":1.0'
    const { bytes } = prepare(endpoint, odd)
    assert.include(Buffer.from(bytes).toString(), odd)
  })

  it.each([
    ['"model":"other"', "model"],
    ['"\\u006dodel":"other"', "model"],
    ['"Model":"other"', "model"],
    ['"MODEL":"other"', "model"],
    ['"stream":true,"stream":false', "stream"],
    ['"Stream":true', "stream"],
    ['"\\u017ftream":true', "stream"],
    ['"n":1,"n":1', "n"],
    ['"\\u006e":50,"n":1', "n"],
    ['"N":50', "n"],
    ['"n[]":50', "n"],
    ['"best_of":1,"best_of":1', "best_of"],
    ['"bestOf":50', "best_of"],
    ['"candidateCount":50', "candidate_count"],
    ['"MAX_TOKENS":1', "max_tokens"],
    ['"maxTokens":1', "max_tokens"],
    ['"max_to\\u212aens":1', "max_tokens"],
    ['"Max_Completion_Tokens":1', "max_completion_tokens"],
    ['"stream_options":{},"stream_options":{}', "stream_options"],
    ['"streamOptions":{}', "stream_options"],
    ['"stream_options":{"include_usage":true,"include_usage":false}', "stream_options.include_usage"],
    ['"stream_options":{"Include_Usage":false}', "stream_options.include_usage"],
    ['"service_tier":"default","service_tier":"priority"', "service_tier"],
    ['"Service_Tier":"priority"', "service_tier"],
    ['"size":"1x1","size":"2x2"', "size"],
    ['"tools":[],"tools":[]', "tools"],
    ['"Thinking":{"type":"disabled"}', "thinking"],
    ['"enable_thinking":false,"enable_thinking":true', "enable_thinking"],
    ['"deferred":true,"deferred":false', "deferred"],
    ['"enable_search":true,"enable_search":false', "enable_search"],
    ['"search_parameters":{},"search_parameters":null', "search_parameters"]
  ])("is refused for %s", (more, field) => {
    assert.strictEqual(refusedField(endpoint, more), field)
  })
})

describe.each(texts)("the number of answers of a request to %s", (endpoint) => {
  it.each(["n", "best_of", "num_return_sequences", "candidate_count"])("in %s is a whole number", (name) => {
    for (const value of [
      '"50"',
      "2.5",
      "true",
      "1e9",
      "0",
      "-1",
      "129",
      "[]",
      "{}",
      '""',
      "1e999",
      "99999999999999999999"
    ])
      assert.strictEqual(refusedField(endpoint, `"${name}":${value}`), name, value)
    for (const value of ["1", "null", "1.0", "128", "2e1"])
      assert.isUndefined(refusedField(endpoint, `"${name}":${value}`), value)
  })
})

describe.each(texts)("the form of a request to %s", (endpoint) => {
  it("is told by a truth value and an object", () => {
    for (const stream of ['"true"', "1", "[]", "{}"])
      assert.strictEqual(refusedField(endpoint, `"stream":${stream}`), "stream")
    for (const options of ["true", "[]", '"x"', "0"])
      assert.strictEqual(refusedField(endpoint, `"stream_options":${options}`), "stream_options")
    for (const more of [
      '"stream":null',
      '"stream":true,"stream_options":null',
      '"stream_options":{"x":1,"x":2}'
    ])
      assert.isUndefined(refusedField(endpoint, more), more)
  })
})

describe("what is held for several answers", () => {
  const held = (more: string) => {
    const { answers, choices } = prepareOf(more)
    return [choices, answers]
  }
  const prepareOf = (more: string) => {
    const prepared = prepare("chat_completions", more)
    if (!("answers" in prepared)) throw new Error("no text call")
    return prepared
  }

  it("is for as many as are made, given or not", () => {
    assert.deepStrictEqual(held(""), [1, 1])
    assert.deepStrictEqual(held('"n":4'), [4, 4])
    assert.deepStrictEqual(held('"n":2,"best_of":50'), [2, 50])
    assert.deepStrictEqual(held('"best_of":50'), [1, 50])
    assert.deepStrictEqual(held('"n":8,"num_return_sequences":3,"candidate_count":null'), [8, 8])
  })
})

describe("the number of images", () => {
  it.each(["num_images", "num_outputs", "batch_size", "samples", "best_of", "num_return_sequences"])(
    "is not asked for as %s",
    (name) => {
      for (const endpoint of ["images_generations", "images_edits"] as const) {
        assert.strictEqual(refusedField(endpoint, `"${name}":2`), name)
        assert.strictEqual(refusedField(endpoint, `"${name}":"1"`), name)
        assert.isUndefined(refusedField(endpoint, `"${name}":1`))
      }
    }
  )
})

describe("who draws an image", () => {
  it("is the model that is called, and no other beside it", () => {
    for (const endpoint of ["images_generations", "images_edits"] as const) {
      assert.strictEqual(refusedField(endpoint, '"svg":{"model":"gpt-5.4"}'), "svg")
      assert.strictEqual(refusedField(endpoint, '"svg[model]":"gpt-5.4"'), "svg[model]")
      assert.isUndefined(refusedField(endpoint, '"output_format":"svg","svg":null'))
    }
  })
})
