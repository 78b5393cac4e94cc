/** What is wrong with a body as a whole is told before anything of it is parsed. */
import { assert, describe, it } from "@effect/vitest"
import { bodyBounds } from "../../src/compute/bounds.ts"
import { prepareCall } from "../../src/compute/prepare-call.ts"
import { readBody, readModelName, type Unprepared } from "../../src/compute/read-body.ts"
import { modelNamed } from "../catalogue.ts"

const { levels, members, values } = bodyBounds
const bodyWith = (more: string) =>
  Buffer.from(`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"a"}]${more}}`)

const refusalOf = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    return (error as Unprepared).message
  }
  return "none"
}

/** Those above, beside what a test adds. */
const ownMembers = 3
const ownValues = 7

describe("a body", () => {
  it.each([
    ["has as many members as it may", `,"a":0`.repeat(members - ownMembers), "none"],
    [
      "has one member more",
      `,"a":0`.repeat(members - ownMembers + 1),
      "The body has more than 1000 members."
    ],
    ["has as many values as it may", `,"a":[${"0,".repeat(values - ownValues - 2)}0]`, "none"],
    [
      "has one value more",
      `,"a":[${"0,".repeat(values - ownValues - 1)}0]`,
      "The body has more than 250000 values."
    ],
    ["is as deep as it may be", `,"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}`, "none"],
    [
      "is one level deeper",
      `,"a":${"[".repeat(levels)}${"]".repeat(levels)}`,
      "The body is nested deeper than 512 levels."
    ]
  ])("that %s", (_, more, refusal) => {
    const body = bodyWith(more)
    const model = modelNamed("claude-sonnet-5")
    assert.strictEqual(
      refusalOf(() => readModelName(body)),
      refusal
    )
    assert.strictEqual(
      refusalOf(() =>
        prepareCall({ way: { endpoint: "messages", protocol: "messages" }, model, body, anthropicBeta: "" })
      ),
      refusal
    )
  })

  it.each([
    ["", "The body is not valid JSON: an object is expected."],
    ["[1]", "The body is not valid JSON: an object is expected."],
    ['{"model":', "The body is not valid JSON: an object is expected."],
    ['{"model":x}', "The body is not valid JSON."],
    ['{"model":"\xff"}', "The body is not valid UTF-8."]
  ])("%s is refused", (text, refusal) => {
    assert.strictEqual(
      refusalOf(() => readBody(Buffer.from(text, "latin1"), bodyBounds)),
      refusal
    )
  })

  it("may name its model at no more length than names have", () => {
    const named = (name: string) => Buffer.from(JSON.stringify({ model: name }))
    assert.strictEqual(readModelName(named("m".repeat(1_000))).length, 1_000)
    assert.strictEqual(
      refusalOf(() => readModelName(named("m".repeat(1_001)))),
      "model: must not be longer than 1000 characters"
    )
  })

  it("is read as it is, whatever others were looked at before", () => {
    const bodies = [10, 100_000, 200_000].map((size) => bodyWith(`,"a":"${"x".repeat(size)}","b":${size}`))
    for (const body of bodies) assert.strictEqual(readModelName(body), "m")
    for (const [index, body] of bodies.entries()) {
      const { members, parsed } = readBody(body, bodyBounds)
      assert.deepStrictEqual(parsed, JSON.parse(body.toString()))
      assert.strictEqual(members.at(-1)?.valueEnd, bodies[index]!.length - 1)
    }
  })

  it("may have so many tools under other names as go back with it, and no more", () => {
    const model = modelNamed("gpt-5.5")
    const way = { endpoint: "messages", protocol: "chat_completions" } as const
    const prepared = (count: number) => {
      const tools = Array.from({ length: count }, (_, index) => ({
        name: `a tool ${index}`,
        input_schema: {}
      }))
      const body = bodyWith(`,"tools":${JSON.stringify(tools)}`)
      return prepareCall({ way, model, body, anthropicBeta: "" })
    }
    assert.strictEqual(prepared(10_000).toolNames.length, 10_000)
    assert.include(
      refusalOf(() => prepared(10_001)),
      "tools: more than 10000 of them"
    )
  })
})
