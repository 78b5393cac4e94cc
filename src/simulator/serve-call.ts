/** The life of one simulated call: known caller, readable body, settings, the provider's rules, the answer. */
import type { Answer } from "./http/Answer.ts"
import type { Call, Protocol } from "./Protocol.ts"
import { directiveIn, gatherSettings, noSettings, type Settings, splitModel } from "./settings.ts"

export interface Served {
  readonly answer: Answer
  readonly settings: Settings
  readonly model: string | undefined
}

export const serveCall = (protocol: Protocol, call: Call, defaults: Settings): Served => {
  const stranger = protocol.authenticate(call)
  if (stranger !== undefined) return refused(protocol.refuse(stranger.status ?? 401, stranger), defaults)
  const parsed = protocol.parse(call)
  if (!("body" in parsed)) return refused(protocol.refuse(parsed.status ?? 400, parsed), defaults)
  const { body } = parsed
  const { model, directive } = splitModel(protocol.model(call, body))
  const settings = gatherSettings(
    defaults,
    call.headers["x-sim"],
    directiveIn(protocol.prompt(body)),
    directive
  )
  if (typeof settings === "string")
    return refused(protocol.refuse(400, { message: settings }), noSettings, model)
  const failure =
    settings.status ?? overload(protocol, body["stream"] === true || call.path.endsWith("-stream"), settings)
  if (failure !== undefined)
    return refused(withRetryAfter(protocol.refuse(failure), settings), settings, model)
  const answer = protocol.answer({ call, body, model, settings })
  return "kind" in answer
    ? { answer, settings, model }
    : refused(protocol.refuse(answer.status ?? 400, answer), settings, model)
}

const refused = (answer: Answer, settings: Settings, model?: string): Served => ({ answer, settings, model })

/** A plain answer has no place for an error under way: it fails as a whole. */
const overload = (protocol: Protocol, streamed: boolean, { failAfter }: Settings): number | undefined =>
  failAfter !== undefined && !streamed ? protocol.overloaded : undefined

const withRetryAfter = (answer: Answer, { retryAfter }: Settings): Answer =>
  retryAfter === undefined
    ? answer
    : { ...answer, headers: [...answer.headers, ["retry-after", `${retryAfter}`]] }
