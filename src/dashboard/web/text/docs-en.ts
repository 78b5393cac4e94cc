/** Connecting and trying. */
import type { vietnamese } from "./docs-vi.ts"

export const english: typeof vietnamese = {
  title: "Connect",
  intro:
    "One address, one API key, every model: any client that speaks Messages, Chat Completions or Responses works.",
  otherClients: "Other clients…",
  model: "Model",
  shell: "Shell",
  tryTitle: "Send a test",
  tryAction: "Send a test",
  yourKey: "Your API key",
  yourKeyHint: "Used for this call alone, and kept nowhere.",
  prompt: "Question",
  samplePrompt: "Hello! What can you do?",
  send: "Send",
  sending: "Sending…",
  charged: "This is a real call, charged as any other (a few dong, as a rule).",
  tokens: (count: string) => (count === "1" ? "1 token" : `${count} tokens`),
  firstKey: "Create your first API key",
  addresses: "Addresses and API key",
  messagesBase: "Messages clients (Anthropic SDK, Claude Code)",
  openAiBase: "Chat Completions and Responses clients (OpenAI SDK, Codex, LangChain, AI SDK)",
  keyGoes: "The API key goes as x-api-key or as Authorization: Bearer.",
  clients: "Clients",
  endpoints: "Endpoints",
  endpointColumn: "Path",
  what: "What it does",
  errors: "Errors",
  errorsIntro:
    'Errors are {"type": "error", "error": {"type", "message"}, "request_id"}. Send the request_id when you ask for help.',
  status: "Status",
  when: "When",
  reference: "For programs",
  modelsApi: "OpenAPI of the models\u2019 API",
  managementApi: "OpenAPI of the management API",
  forModels: "A summary for language models",
  paths: {
    "POST /v1/messages": "Any text model in the Messages protocol",
    "POST /v1/messages/count_tokens": "Counts input tokens, free",
    "POST /v1/chat/completions": "Any text model in Chat Completions",
    "POST /v1/responses": "Any text model in Responses",
    "POST /v1/images/generations": "Makes pictures",
    "POST /v1/images/edits": "Changes a picture",
    "POST /v1/audio/speech": "Turns text into speech",
    "GET /v1/models": "The models and their prices",
    "GET /v1/models/{id}": "One model",
    "GET /v1/balance": "What is left in the wallet, of the key\u2019s budget and of its maker\u2019s",
    "GET /v1/usage": "Usage by model, key or day",
    "GET /v1/dashboard/billing/subscription": "What is left, as chat clients ask for it",
    "GET /v1/dashboard/billing/usage": "What was used, as chat clients ask for it"
  },
  failures: [
    [
      400,
      "invalid_request_error",
      "JSON that is none, or a parameter that is missing or wrong; the message names it"
    ],
    [401, "authentication_error", "The API key is missing, wrong, revoked, paused or expired"],
    [
      402,
      "insufficient_balance",
      "Nothing is left in the wallet, of the key\u2019s budget or of its maker\u2019s"
    ],
    [403, "permission_error", "The API key may not use this model, endpoint or address"],
    [404, "not_found_error", "No such path or model"],
    [
      413,
      "request_too_large",
      "The body is larger than allowed: 20 MiB, where the operator has set no other limit"
    ],
    [429, "rate_limit_error", "A limit is reached; retry-after says when to try again"],
    [502, "api_error", "The provider failed; what was not answered costs nothing"],
    [503, "service_unavailable", "Maintenance or overload; retry-after says when to try again"]
  ]
}
