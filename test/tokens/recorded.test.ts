/** Our counts beside what providers really reported, for every recorded call that says what it used. */
import { assert, describe, it } from "@effect/vitest"
import { OutputMeter } from "../../src/formats/meter/output-meter.ts"
import { countInputTokens } from "../../src/tokens/count-input-tokens.ts"
import { measureInput } from "../../src/tokens/measure-input.ts"
import { outputTokens, outputTokensBound } from "../../src/tokens/output-tokens.ts"
import { modelLike } from "./models.ts"
import { type Recorded, recordings } from "./recorded.ts"
import { countableInput, countableOutput } from "./recorded-limits.ts"
import { describeWith } from "../shared-folder.ts"

const all = recordings()

const metered = (recorded: Recorded): OutputMeter => {
  const meter = new OutputMeter()
  for (const piece of recorded.pieces) {
    const json = Buffer.from(JSON.stringify(piece))
    meter.addBytes(json, 1, json.length - 1)
  }
  meter.toolCalls = recorded.toolCalls
  return meter
}

describeWith("fixtures", "recorded calls", () => {
  const withInput = all.flatMap(({ request, inputTokens, ...rest }) =>
    request === undefined || inputTokens === undefined ? [] : [{ ...rest, request, inputTokens }]
  )
  const withOutput = all.flatMap(({ outputTokens: total, hiddenTokens, ...rest }) =>
    total === undefined || rest.pieces.length === 0
      ? []
      : [{ ...rest, hiddenTokens, outputTokens: total, shown: total - hiddenTokens }]
  )

  it("are there in numbers, on every protocol", () => {
    assert.isAtLeast(withInput.length, 65)
    assert.isAtLeast(withOutput.length, 60)
    assert.isAtLeast(new Set(withInput.map(({ name }) => name.split("/")[0])).size, 5)
  })

  it.each(withInput)(
    "$name: the estimate is not below the $inputTokens input tokens recorded",
    ({ request, model, inputTokens }) => {
      assert.isAtLeast(measureInput(request, modelLike(model)).bound, inputTokens)
    }
  )

  it.each(withInput.filter(countableInput))(
    "$name: the local count is within 15 % of the $inputTokens input tokens recorded, or five tokens",
    ({ request, model, inputTokens }) => {
      assert.approximately(
        countInputTokens(request, modelLike(model)),
        inputTokens,
        Math.max(5, 0.15 * inputTokens)
      )
    }
  )

  it.each(withInput.filter(countableInput))(
    "$name: the guess without a tokenizer is within 25 % of the $inputTokens input tokens recorded, or eight tokens",
    ({ request, model, inputTokens }) => {
      const { guess } = measureInput(request, modelLike(model))
      assert.approximately(guess, inputTokens, Math.max(8, 0.25 * inputTokens))
    }
  )

  it.each(withOutput.filter(countableOutput))(
    "$name: the count of output is within 25 % of the $shown tokens recorded, or eight tokens",
    (recorded) => {
      const counted = outputTokens(metered(recorded), modelLike(recorded.model))
      assert.approximately(counted, recorded.shown, Math.max(8, 0.25 * recorded.shown))
    }
  )

  it.each(withOutput.filter(countableOutput))(
    "$name: the bound on output is not below the $shown tokens recorded",
    (recorded) => {
      assert.isAtLeast(outputTokensBound(metered(recorded), modelLike(recorded.model)), recorded.shown)
    }
  )
})

describe("the output of a stream", () => {
  const model = modelLike("claude-opus-4-8")

  it("is nothing before anything has come", () => {
    assert.strictEqual(outputTokens(new OutputMeter(), model), 0)
  })

  it("grows with every event, and stays below its bound", () => {
    const meter = new OutputMeter()
    let last = 0
    for (let event = 0; event < 200; event++) {
      meter.addText(event % 3 === 0 ? " một câu trả lời" : ' {"key": [1, 2, 3]},\n')
      const now = outputTokens(meter, model)
      assert.isAbove(now, last)
      assert.isAtMost(now, outputTokensBound(meter, model))
      last = now
    }
  })

  it("counts the frame of a tool call, which is not in its text", () => {
    const meter = new OutputMeter()
    meter.addText("get_weather")
    const before = outputTokens(meter, model)
    meter.toolCalls++
    assert.isAtLeast(outputTokens(meter, model) - before, 20)
  })

  it("bounds hidden reasoning by what is sent of it encrypted", () => {
    const meter = new OutputMeter()
    meter.opaqueCharacters = 4_000
    assert.isAtLeast(outputTokensBound(meter, model), 1_000)
  })
})
