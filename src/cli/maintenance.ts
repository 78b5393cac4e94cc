/** `tollgate maintenance …` */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { type Maintenance, type Notice, noticeLengthMax } from "../domain/maintenance.ts"
import { vietnamText } from "../domain/vietnam-days.ts"
import { actor, json, momentOf } from "./flags.ts"
import { answer } from "./output.ts"

const actions = Effect.promise(() => import("./maintenance-actions.ts"))

const message = Flag.String("message").pipe(
  Flag.withMetavar("TEXT"),
  Flag.withDescription(
    `What customers are told, in Vietnamese: one line of at most ${noticeLengthMax} characters`
  )
)

const besides = {
  messageEn: Flag.String("message-en").pipe(
    Flag.withMetavar("TEXT"),
    Flag.withDescription("The same in English"),
    Flag.optional
  ),
  until: Flag.String("until").pipe(
    Flag.withMetavar("MOMENT"),
    Flag.withDescription(
      "The planned end, such as 2026-12-31T23:59:59+07:00; maintenance lasts until it is turned off"
    ),
    Flag.filterMap(momentOf, () => "a moment such as 2026-12-31T23:59:59+07:00"),
    Flag.optional
  )
}

interface Besides {
  readonly messageEn: Option.Option<string>
  readonly until: Option.Option<Date>
}

const noticeOf = (vi: string, { messageEn, until }: Besides): Notice => ({
  vi,
  en: Option.getOrUndefined(messageEn),
  untilMs: Option.getOrUndefined(until)?.getTime()
})

const on = Command.make(
  "on",
  { message: Flag.optional(message), ...besides, json },
  Effect.fnUntraced(function* (input) {
    const { setMaintenance } = yield* actions
    // English and an end without a message are refused as an empty one.
    const isSaid =
      Option.isSome(input.message) || Option.isSome(input.messageEn) || Option.isSome(input.until)
    const said = Option.getOrElse(input.message, () => "")
    const notice = isSaid ? noticeOf(said, input) : undefined
    yield* print(input.json, yield* setMaintenance(true, actor, notice))
  })
).pipe(Command.withDescription("Refuse new calls; without a message, with what was announced"))

const off = Command.make(
  "off",
  { json },
  Effect.fnUntraced(function* (input) {
    const { setMaintenance } = yield* actions
    yield* print(input.json, yield* setMaintenance(false, actor))
  })
).pipe(Command.withDescription("Serve again, and take back what was announced"))

const announce = Command.make(
  "announce",
  { message, ...besides, json },
  Effect.fnUntraced(function* (input) {
    const { announce } = yield* actions
    yield* print(input.json, yield* announce(noticeOf(input.message, input), actor))
  })
).pipe(Command.withDescription("Tell customers, and leave maintenance on or off as it is"))

const status = Command.make(
  "status",
  { json },
  Effect.fnUntraced(function* (input) {
    const { currentMaintenance } = yield* actions
    yield* print(input.json, yield* currentMaintenance)
  })
).pipe(Command.withDescription("Tell whether maintenance is on, and what is said of it"))

export const maintenance = Command.make("maintenance").pipe(
  Command.withDescription("Maintenance mode, and what customers are told of it"),
  Command.withSubcommands([on, off, announce, status])
)

const print = (json: boolean, { isOn, notice }: Maintenance) => {
  const until = notice?.untilMs
  const value = {
    maintenance: isOn,
    ...(notice && {
      message: notice.vi,
      message_en: notice.en ?? null,
      until: until === undefined ? null : new Date(until).toISOString()
    })
  }
  const lines = [
    `Maintenance is ${isOn ? "on" : "off"}`,
    ...(notice ? [`Message: ${notice.vi}`] : []),
    ...(notice?.en === undefined ? [] : [`In English: ${notice.en}`]),
    ...(until === undefined ? [] : [`Planned end: ${vietnamText(until)} in Viet Nam`])
  ]
  return answer(json, value, () => lines.join("\n"))
}
