/** Sends a small call over one route and shows what came of it. */
import { useState } from "preact/hooks"
import { post } from "../api.ts"
import type { AnswerTo } from "../endpoints.ts"
import { number } from "../language.ts"
import { providersText } from "../text/providers.ts"
import { useAction } from "../use-action.ts"

export type Tried = AnswerTo<"POST", "/operator/routes/test">

export const useRouteTest = (route: string) => {
  const [tried, setTried] = useState<Tried>()
  const test = useAction(async () => {
    setTried(undefined)
    setTried(await post("/operator/routes/test", { route }))
  })
  return { tried, ...test }
}

const isWell = ({ fault, status }: Tried): boolean =>
  fault === null && status !== null && status >= 200 && status < 300

/** Where the result will stand, and about as high: what is below it moves with the click, and not under a later one. */
export const TestPending = () => (
  <p class="mb-4 min-h-21 rounded-lg bg-sunken px-4 py-3 text-sm text-soft sm:min-h-0">
    {providersText().testing}
  </p>
)

export const TestResult = ({ tried }: { readonly tried: Tried }) => {
  const words = providersText()
  const ms = (value: number) => words.ms(number(value))
  return (
    <div
      class={`mb-4 rounded-lg px-4 py-3 text-sm ${isWell(tried) ? "bg-accent-soft" : "bg-warn-soft text-warn"}`}
    >
      <p class="font-medium">
        {isWell(tried) ? words.testWell : words.testBad}
        {" · "}
        {[
          tried.model,
          ...(tried.status === null ? [] : [`HTTP ${tried.status}`]),
          ...(tried.fault === null ? [] : [words.errors[tried.fault] ?? tried.fault]),
          ...(tried.first_byte_ms === null ? [] : [`${words.firstByte} ${ms(tried.first_byte_ms)}`]),
          `${words.total} ${ms(tried.total_ms)}`
        ].join(" · ")}
      </p>
      {tried.message !== null && <p class="mt-1 break-words">{tried.message}</p>}
    </div>
  )
}
