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
  yourKeyHint: "Used only for this call and not stored.",
  prompt: "Question",
  samplePrompt: "Hello! What can you do?",
  send: "Send",
  sending: "Sending…",
  charged: "This is a real call, charged like any other (usually a few dong).",
  tokens: (count: string) => (count === "1" ? "1 token" : `${count} tokens`),
  firstKey: "Create your first API key",
  addresses: "Addresses and API key",
  messagesBase: "Messages clients (Anthropic SDK, Claude Code)",
  openAiBase: "Chat Completions and Responses clients (OpenAI SDK, Codex, LangChain, AI SDK)",
  keyGoes: "Send the API key as x-api-key or Authorization: Bearer.",
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
    "POST /v1/images/generations": "Creates images",
    "POST /v1/images/edits": "Edits images",
    "POST /v1/audio/speech": "Turns text into speech",
    "GET /v1/models": "The models and their prices",
    "GET /v1/models/{id}": "One model",
    "GET /v1/balance": "What is left of the balance, the key\u2019s budget and its maker\u2019s budget",
    "GET /v1/usage": "Usage by model, key or day",
    "GET /v1/dashboard/billing/subscription": "What is left, as chat clients ask for it",
    "GET /v1/dashboard/billing/usage": "What was used, as chat clients ask for it"
  }
}
