/** What a model may answer, made by chance, as each provider writes it: whole, and as a stream. */
import type { TextProtocol } from "../../../src/domain/catalogue.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { chunkFrame } from "../../../src/simulator/bedrock/frames.ts"
import * as converse from "../../../src/simulator/bedrock/write-answer.ts"
import * as chat from "../../../src/simulator/chat/write-answer.ts"
import * as messages from "../../../src/simulator/messages/write-answer.ts"
import { finalStatus, outputItems, responseObject } from "../../../src/simulator/responses/write-answer.ts"
import { ResponseStream } from "../../../src/simulator/responses/write-events.ts"
import { noSettings } from "../../../src/simulator/settings.ts"
import type { Stop, Turn } from "../../../src/simulator/turn/Turn.ts"
import type { Pieces } from "../../../src/simulator/turn/vocabulary.ts"
import type { Words } from "./Words.ts"

const piecesOf = (list: ReadonlyArray<string>): Pieces => ({
  count: list.length,
  tokensPerPiece: 1,
  at: (place) => list[place]!
})

const piece = (words: Words): string =>
  words.pick(["a", " b", "Huế", " 😀", "\n", '"', "\\", "}", "data: ", "[DONE]", "\u2028", "  "])

const text = (words: Words, least: number): Pieces => piecesOf(words.some(least, 6, () => piece(words)))

/** Cut anywhere, but not within a character of two halves. */
const cut = (words: Words, whole: string): Pieces => {
  const list: Array<string> = [""]
  for (const letter of whole) {
    if (words.chance(0.2)) list.push("")
    list[list.length - 1] += letter
  }
  return piecesOf(list.filter((each) => each !== ""))
}

const inputs: ReadonlyArray<unknown> = [{}, { a: "Huế 😀" }, { a: [1, null, { b: true }], c: '"\\' }]

export const turnOf = (words: Words): Turn => {
  const calls = words.chance(0.4)
    ? words.some(1, 3, (place) => ({
        id: `toolu_${place}`,
        name: words.pick(["f", "get_weather"]),
        arguments: cut(words, JSON.stringify(words.pick(inputs))),
        isCustom: false
      }))
    : []
  const stop =
    calls.length > 0 ? "tool_use" : words.pick<Stop>(["end", "end", "length", "stop_sequence", "refusal"])
  const reasoning = words.below(9)
  return {
    thinking: words.chance(0.3)
      ? { pieces: text(words, 1), signature: `E${"a".repeat(60)}`, redacted: undefined }
      : undefined,
    text: stop === "refusal" ? piecesOf([]) : text(words, calls.length > 0 ? 0 : 1),
    calls,
    stop,
    stopSequence: stop === "stop_sequence" ? "halt" : undefined,
    usage: {
      input: 1 + words.below(50),
      cacheRead: words.below(9),
      cacheWrite: words.below(9),
      output: 10 + reasoning + words.below(50),
      reasoning
    }
  }
}

const identity = { id: "msg_1", model: "m" }
const completion = { ...identity, created: 1, settings: noSettings, choices: 1, includeUsage: true }
const draftOf = (turn: Turn) => ({
  id: "resp_1",
  created: 1,
  request: { reasoning: { effort: "low", summary: "auto" } } as JsonObject,
  model: "m",
  turn,
  encryptsFor: undefined
})

interface Written {
  readonly whole: (turn: Turn) => string
  readonly stream: (turn: Turn) => Buffer
}

const joined = (frames: Iterable<string | Uint8Array>): Buffer =>
  Buffer.concat([...frames].map((frame) => Buffer.from(frame as string)))

const events = (turn: Turn) => [...messages.writeEvents(identity, turn)]

export const written: Readonly<Record<TextProtocol, Written>> = {
  messages: {
    whole: (turn) => messages.writeBody(identity, turn),
    stream: (turn) => joined(events(turn).map(([name, json]) => `event: ${name}\ndata: ${json}\n\n`))
  },
  invoke: {
    whole: (turn) => messages.writeBody(identity, turn),
    stream: (turn) => joined(events(turn).map(([, json]) => chunkFrame(json)))
  },
  converse: {
    whole: (turn) => converse.writeBody(turn),
    stream: (turn) => joined(converse.writeFrames(turn))
  },
  chat_completions: {
    whole: (turn) => chat.writeBody(completion, turn),
    stream: (turn) => joined(chat.writeChunks(completion, turn))
  },
  responses: {
    whole: (turn) => {
      const draft = draftOf(turn)
      const output = outputItems(draft, false).map(({ finished }) => finished)
      return JSON.stringify(responseObject(draft, finalStatus(turn), output))
    },
    stream: (turn) => joined(new ResponseStream(draftOf(turn), () => {}).frames())
  }
}
