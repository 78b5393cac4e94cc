/** How far our token counts are from the recorded ones, and what they cost: the figures of docs/token-counts.md. */
import { OutputMeter } from "../src/formats/meter/output-meter.ts"
import { countInputTokens, exactTextTokens } from "../src/tokens/count-input-tokens.ts"
import { measureInput } from "../src/tokens/measure-input.ts"
import { outputTokens, outputTokensBound } from "../src/tokens/output-tokens.ts"
import { meteredTokens, meteredTokensMax } from "../src/tokens/text-tokens.ts"
import { traitsOf } from "../src/tokens/tokenizer-traits.ts"
import { corpora } from "../test/tokens/corpora.ts"
import { modelNamed } from "../test/catalogue.ts"
import { modelLike } from "../test/tokens/models.ts"
import { reasonLeftOut } from "../test/tokens/recorded-limits.ts"
import { recordings } from "../test/tokens/recorded.ts"

const meterOf = (pieces: ReadonlyArray<string>): OutputMeter => {
  const meter = new OutputMeter()
  for (const piece of pieces) meter.addText(piece)
  return meter
}

const table = (title: string, rows: ReadonlyArray<Record<string, string | number | boolean>>) => {
  console.log(`\n${title}`)
  console.table(rows)
}

const summary = (title: string, ratios: ReadonlyArray<number>) => {
  const sorted = ratios.toSorted((one, other) => one - other)
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? NaN).toFixed(2)
  console.log(
    `${title}: ${sorted.length} calls, least ${at(0)}, median ${at(0.5)}, nine in ten below ${at(0.9)}, most ${at(1)}`
  )
}

const recorded = recordings()

const input = recorded.flatMap(({ name, request, model, inputTokens }) => {
  if (request === undefined || inputTokens === undefined) return []
  const like = modelLike(model)
  const bound = measureInput(request, like).bound
  const count = countInputTokens(request, like)
  return [
    {
      name,
      like: like.id,
      recorded: inputTokens,
      bound,
      "bound ×": +(bound / inputTokens).toFixed(2),
      count,
      "count ×": +(count / inputTokens).toFixed(2),
      "left out": reasonLeftOut(name, "input") ?? ""
    }
  ]
})

const output = recorded.flatMap(({ name, pieces, model, outputTokens: total, hiddenTokens, toolCalls }) => {
  if (total === undefined || pieces.length === 0) return []
  const meter = meterOf(pieces)
  meter.toolCalls = toolCalls
  const like = modelLike(model)
  const shown = total - hiddenTokens
  const count = outputTokens(meter, like)
  const bound = outputTokensBound(meter, like)
  return [
    {
      name,
      like: like.id,
      recorded: shown,
      count,
      "count ×": +(count / shown).toFixed(2),
      bound,
      "bound ×": +(bound / shown).toFixed(2),
      "left out": reasonLeftOut(name, "output") ?? ""
    }
  ]
})

const o200k = { ...traitsOf(modelNamed("gpt-5.5")), ratio: 1, ratioMax: 1 }
const texts = corpora().map(({ name, text, typical }) => {
  const exact = exactTextTokens(text)
  const meter = meterOf([text])
  return {
    name,
    typical,
    exact,
    "estimate ×": +(meteredTokens(meter, o200k) / exact).toFixed(2),
    "bound ×": +(meteredTokensMax(meter, o200k) / exact).toFixed(2)
  }
})

const cost = (name: string, units: number, run: () => unknown) => {
  run()
  const times: Array<number> = []
  for (let round = 0; round < 7; round++) {
    const start = performance.now()
    run()
    times.push(performance.now() - start)
  }
  return { name, "µs each": +((Math.min(...times) * 1_000) / units).toFixed(2) }
}

table("Input", input)
table("Output", output)
table("Text beside o200k", texts)
console.log("")
summary(
  "Input, bound / recorded",
  input.map((row) => row["bound ×"])
)
summary(
  "Input, count / recorded",
  input.filter((row) => row["left out"] === "").map((row) => row["count ×"])
)
summary(
  "Output, count / recorded",
  output.filter((row) => row["left out"] === "").map((row) => row["count ×"])
)
summary(
  "Output, bound / recorded",
  output.filter((row) => row["left out"] === "").map((row) => row["bound ×"])
)

const model = modelNamed("claude-fable-5")
const sentence =
  "A prepaid gateway holds part of the balance, then settles by the tokens that were really used. "
const small = {
  model: "x",
  max_tokens: 100,
  messages: [{ role: "user", content: sentence.repeat(4).slice(0, 330) }]
}
// Parsed, as a body is: the strings are flat.
const large = JSON.parse(
  JSON.stringify({
    messages: Array.from({ length: 100 }, () => ({ role: "user", content: sentence.repeat(110) }))
  })
)
const delta = Buffer.from('"text":" a few words of it"')
const meter = new OutputMeter()
// Loads the vocabulary.
exactTextTokens("a")
const times = (count: number, run: () => unknown) => () => {
  for (let index = 0; index < count; index++) run()
}

table("Cost, best of seven rounds", [
  cost(
    "estimate of a 400-byte body",
    20_000,
    times(20_000, () => measureInput(small, model).bound)
  ),
  cost(
    "estimate of a 1 MB body",
    10,
    times(10, () => measureInput(large, model).bound)
  ),
  cost("(its JSON.parse)", 5, ((json: string) => times(5, () => JSON.parse(json)))(JSON.stringify(large))),
  cost(
    "local count of a 400-byte body",
    200,
    times(200, () => countInputTokens(small, model))
  ),
  cost("local count of a 1 MB body", 1, () => countInputTokens(large, model)),
  cost(
    "meter of one event of 20 bytes",
    100_000,
    times(100_000, () => meter.addBytes(delta, 8, delta.length - 1))
  )
])
