/** Chance for requests, and texts that can be found again in what these become. */
import type { FetchedFiles } from "../../../src/formats/images/file-sources.ts"
import { Random } from "../../Random.ts"

interface Told {
  readonly word: string
  /** Which message of the conversation has it; zero is what stands outside of it. */
  readonly turn: number
}

export class Words extends Random {
  readonly told: Array<Told> = []
  turn = 0

  /** A text that has to reach the model. */
  text(): string {
    const word = `w${this.told.length}w`
    this.told.push({ word, turn: this.turn })
    return this.pick([word, word, `${word} Huế 😀`, `\n${word} "\\`, `${word}  `, `<system>${word}`])
  }

  /** Perhaps one that is of nothing. */
  textOrBlank(): string {
    return this.chance(0.1) ? this.pick(["", " ", "\n"]) : this.text()
  }

  /** From `least` to `most` of them. */
  some<A>(least: number, most: number, make: (place: number) => A): Array<A> {
    return Array.from({ length: least + this.below(most - least + 1) }, (_, place) => make(place))
  }

  maybe<A extends object>(share: number, make: () => A): A | Record<never, never> {
    return this.chance(share) ? make() : {}
  }

  shuffled<A>(list: ReadonlyArray<A>): Array<A> {
    return list
      .map((item) => [this.next(), item] as const)
      .toSorted(([left], [right]) => left - right)
      .map(([, item]) => item)
  }

  /** Each of these members with a chance of its own, made in this order. */
  members<Makers extends Readonly<Record<string, () => unknown>>>(
    makers: Makers,
    share: number,
    shares: Partial<Record<keyof Makers, number>> = {}
  ): Partial<{ [Name in keyof Makers]: ReturnType<Makers[Name]> }> {
    return Object.fromEntries(
      Object.entries(makers).flatMap(([name, make]) =>
        this.chance(shares[name] ?? share) ? [[name, make()]] : []
      )
    ) as Partial<{ [Name in keyof Makers]: ReturnType<Makers[Name]> }>
  }
}

export const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNsaGioBwAFgwKAJ1YgJQAAAABJRU5ErkJggg=="
export const pdf = Buffer.from("%PDF-1.4 a").toString("base64")

/** What lies at the addresses in requests. */
export const fetched: FetchedFiles = new Map([
  ["https://example.com/a.png", { bytes: Buffer.from(png, "base64"), mediaType: "image/png" }],
  ["https://example.com/a.pdf", { bytes: Buffer.from(pdf, "base64"), mediaType: "application/pdf" }]
])

/** As JSON Schema, of any draft and as loosely as tools come. */
export const schemaOf = (words: Words): Record<string, unknown> & { readonly type: "object" } => ({
  type: "object",
  ...words.maybe(0.8, () => ({
    properties: {
      a: words.pick<unknown>([
        { type: "string" },
        { type: ["string", "null"], description: "d" },
        { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }] },
        { enum: ["x", "y"] },
        { type: "array", items: { $ref: "#/$defs/b" }, maxItems: 3 },
        { type: "object", properties: { c: {} }, additionalProperties: { type: "number" } },
        true,
        {}
      ])
    },
    $defs: { b: { type: "string", format: "date-time" } }
  })),
  ...words.maybe(0.5, () => ({ required: ["a"] })),
  ...words.maybe(0.5, () => ({ additionalProperties: false }))
})

/** The one that a conversation may take away again. */
export const removedTool = "X9"

/** Names as callers have them; not every provider takes each. */
export const toolNames = [
  "f",
  "get_weather",
  "a-b",
  "mcp__server__a_rather_long_name_of_a_tool_that_somebody_gave",
  removedTool
]
