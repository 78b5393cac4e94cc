/** A real call from the page, with a key of one's own: the shortest way to the first answer. */
import { useState } from "preact/hooks"
import { number, money, text } from "../language.ts"
import { readLastKey } from "../last-key.ts"
import { seconds } from "../seconds.ts"
import { snippets } from "../snippets.ts"
import { docsText } from "../text/docs.ts"
import { useSubmit } from "../use-submit.ts"
import { Button, ButtonLink } from "./Button.tsx"
import { ModelChoice } from "./Connect.tsx"
import { Dialog, DialogActions } from "./Dialog.tsx"
import { Field } from "./Field.tsx"

interface Answered {
  readonly status: number
  /** The model's words, or what went wrong. */
  readonly said: string
  readonly requestId: string
  readonly ms: number
  /** Decimal VND; `undefined` where nothing was charged. */
  readonly cost: string | undefined
  readonly tokens: number
}

interface MessageBody {
  readonly content?: ReadonlyArray<{ readonly type: string; readonly text?: string }>
  readonly error?: { readonly message?: string }
}

const outputTokensMax = 300

/** A network that fails throws. */
const call = async (key: string, model: string, prompt: string): Promise<Answered> => {
  const startedMs = performance.now()
  const response = await fetch("/v1/messages", {
    method: "POST",
    credentials: "omit",
    headers: { "x-api-key": key.trim(), "content-type": "application/json" },
    body: JSON.stringify({
      model,
      max_tokens: outputTokensMax,
      messages: [{ role: "user", content: prompt }]
    })
  })
  const body = (await response.json().catch(() => ({}))) as MessageBody
  const count = (name: string) => Number(response.headers.get(name) ?? 0)
  return {
    status: response.status,
    said: response.ok
      ? (body.content ?? []).map(({ text = "" }) => text).join("")
      : (body.error?.message ?? String(response.status)),
    requestId: response.headers.get("request-id") ?? "",
    ms: performance.now() - startedMs,
    cost: response.headers.get("x-svc-cost-vnd") ?? undefined,
    tokens: count("x-svc-input-tokens") + count("x-svc-output-tokens")
  }
}

interface TryProperties {
  /** Absent where it has to be typed. */
  readonly apiKey?: string
}

export const TryCall = ({ apiKey = readLastKey() }: TryProperties) => {
  const [typed, setTyped] = useState("")
  const [model, setModel] = useState("")
  const words = docsText()
  const [prompt, setPrompt] = useState<string>(words.samplePrompt)
  const [answered, setAnswered] = useState<Answered | "network">()
  const key = apiKey || typed
  const isWhole = key.trim() !== "" && prompt.trim() !== ""
  const form = useSubmit(isWhole, async () => {
    setAnswered(undefined)
    setAnswered(await call(key, model || "claude-sonnet-5", prompt).catch(() => "network" as const))
  })
  const missing = (value: string) => (form.isTried && value.trim() === "" ? text().auth.required : undefined)
  return (
    <form noValidate class="space-y-4" onSubmit={form.submit}>
      {apiKey === "" && (
        <Field
          label={words.yourKey}
          hint={words.yourKeyHint}
          type="password"
          value={typed}
          problem={missing(typed)}
          onText={setTyped}
        />
      )}
      <Field
        label={words.prompt}
        value={prompt}
        maxLength={2_000}
        problem={missing(prompt)}
        onText={setPrompt}
      />
      <div class="flex flex-wrap items-center gap-2">
        <ModelChoice shown={snippets[0]!} model={model} onChoose={setModel} />
        <Button type="submit" look="primary" disabled={form.isBusy || !isWhole}>
          {form.isBusy ? words.sending : words.send}
        </Button>
      </div>
      <p class="text-[0.8125rem] text-faint">{words.charged}</p>
      <div role="status">{answered !== undefined && <Outcome of={answered} />}</div>
    </form>
  )
}

const Outcome = ({ of }: { readonly of: Answered | "network" }) => {
  const words = docsText()
  if (of === "network") return <p class="text-sm text-danger">{text().errors.network}</p>
  const isGood = of.status < 300
  return (
    <div class="space-y-2 rounded-xl bg-sunken p-4" data-testid="answer">
      <p class={`whitespace-pre-wrap wrap-anywhere ${isGood ? "" : "text-danger"}`}>{of.said}</p>
      <p class="number flex flex-wrap gap-x-4 text-[0.8125rem] text-faint">
        <span>{of.status}</span>
        <span>{seconds(Math.round(of.ms))}</span>
        {of.cost !== undefined && (
          <>
            <span>{words.tokens(number(of.tokens))}</span>
            <span>{money(of.cost)}</span>
          </>
        )}
        <code class="break-all">{of.requestId}</code>
      </p>
      {of.status === 402 && (
        <ButtonLink to="/topup" look="primary" small>
          {text().overview.topUp}
        </ButtonLink>
      )}
    </div>
  )
}

export const TryDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title={docsText().tryTitle} onClose={onClose}>
    <TryCall />
    <DialogActions>
      <Button onClick={onClose}>{text().common.close}</Button>
    </DialogActions>
  </Dialog>
)
