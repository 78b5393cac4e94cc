/** The models that clients are tried on: each way through the gateway once. */

/** Reached by both text protocols: same protocol, converted, Bedrock's Claude, Converse with and without reasoning. */
export const textModels = [
  "claude-sonnet-5",
  "claude-opus-4-6",
  "gpt-5.5",
  "deepseek-v4-pro",
  "svc/claude-sonnet-5",
  "svc/nova-pro",
  "svc/gpt-oss-120b"
] as const

/** Of these, the models that think aloud for a Messages client that asks for it. */
export const thinkingModels = ["claude-sonnet-5", "svc/claude-sonnet-5", "deepseek-v4-pro"] as const

export const perMtokVnd: Readonly<Record<string, bigint>> = {
  "claude-sonnet-5": 6500n,
  "claude-opus-4-6": 6500n,
  "gpt-5.5": 2400n,
  "deepseek-v4-pro": 2800n,
  "svc/claude-sonnet-5": 6500n,
  "svc/nova-pro": 1800n,
  "svc/gpt-oss-120b": 1000n,
  "svc/nova-2-lite": 1200n,
  "svc/deepseek-v3.2": 1700n,
  "svc/llama4-scout-17b-instruct": 900n,
  "minimax-m3": 1400n
}

export const toolPrompt = "Use the tool to find the weather."
export const weatherSchema = {
  type: "object" as const,
  properties: { city: { type: "string" as const }, days: { type: "integer" as const, minimum: 1 } },
  required: ["city", "days"]
}
