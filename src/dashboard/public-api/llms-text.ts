/** What the service is and how it is called, as language models read it: https://llmstxt.org. */
import { publicErrors } from "./public-schemas.ts"

/** `publicUrl` is where callers reach the service. */
export const llmsText = (publicUrl: string): string => `# Tollgate

> A prepaid gateway in front of many text, image and speech models. One key and one address serve clients of the Messages, chat-completions and
> Responses protocols; each reaches every text model. Calls are charged exactly, in Vietnamese dong.

- Messages clients (Anthropic SDK, Claude Code) take \`${publicUrl}\` as base address, without \`/v1\`.
- Chat-completions and Responses clients (OpenAI SDK, Codex, LangChain, AI SDK) take \`${publicUrl}/v1\`.
- The key, \`sk-tg-…\`, goes as \`x-api-key\` or as \`Authorization: Bearer\`.
- A model's id is as \`GET ${publicUrl}/v1/models\` lists it, with its price in VND and what it can do.
- \`GET ${publicUrl}/v1/balance\` tells what is left, also when that is nothing.
- Every answer has \`request-id\`; whole answers tell their cost in \`x-svc-cost-vnd\`.
- There are no embeddings, transcriptions, legacy completions, batches or files.

## Reference

- [OpenAPI of the models' API](${publicUrl}/openapi.json): endpoints, shapes, errors
- [OpenAPI of the management API](${publicUrl}/api/openapi.json): keys, usage, statement, alerts, with management tokens
- [How to connect](${publicUrl}/dashboard/docs): settings for each client
- [Models and prices](${publicUrl}/dashboard/models)

## A first call

\`\`\`sh
curl ${publicUrl}/v1/messages -H "x-api-key: $KEY" -H "content-type: application/json" \\
  -d '{"model": "claude-sonnet-5", "max_tokens": 256, "messages": [{"role": "user", "content": "Xin chào!"}]}'
\`\`\`

## Errors

\`{"type": "error", "error": {"type": "…", "message": "…"}, "request_id": "…"}\`

${publicErrors.map(([status, type, when]) => `- ${status} \`${type}\`: ${when}.`).join("\n")}
`
