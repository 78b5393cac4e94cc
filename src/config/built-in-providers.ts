/** The providers that need no configuration but their usual key. */
import type { ProviderStyle } from "./settings.ts"

interface BuiltInProvider {
  readonly style: ProviderStyle
  readonly baseUrl: string
  /** The first that is set is used. */
  readonly keyNames: ReadonlyArray<string>
}

/** All but AWS, whose address and credentials are made of several settings. */
const providers: Readonly<Record<string, BuiltInProvider>> = {
  anthropic: { style: "messages", baseUrl: "https://api.anthropic.com", keyNames: ["ANTHROPIC_API_KEY"] },
  openai: { style: "chat", baseUrl: "https://api.openai.com/v1", keyNames: ["OPENAI_API_KEY"] },
  deepseek: { style: "chat", baseUrl: "https://api.deepseek.com/v1", keyNames: ["DEEPSEEK_API_KEY"] },
  google: {
    style: "chat",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    keyNames: ["GEMINI_API_KEY", "GOOGLE_API_KEY"]
  },
  alibaba: {
    style: "chat",
    baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    keyNames: ["DASHSCOPE_API_KEY"]
  },
  moonshotai: { style: "chat", baseUrl: "https://api.moonshot.ai/v1", keyNames: ["MOONSHOT_API_KEY"] },
  zai: { style: "chat", baseUrl: "https://api.z.ai/api/paas/v4", keyNames: ["ZAI_API_KEY"] },
  xai: { style: "chat", baseUrl: "https://api.x.ai/v1", keyNames: ["XAI_API_KEY"] },
  mistral: { style: "chat", baseUrl: "https://api.mistral.ai/v1", keyNames: ["MISTRAL_API_KEY"] },
  minimax: { style: "messages", baseUrl: "https://api.minimax.io/anthropic", keyNames: ["MINIMAX_API_KEY"] },
  // The Llama API was retired on 2026-07-06; this is what superseded it (dev.meta.ai/docs/quickstart).
  meta: { style: "chat", baseUrl: "https://api.meta.ai/v1", keyNames: ["META_API_KEY", "MODEL_API_KEY"] }
}

export const builtInProviders: ReadonlyMap<string, BuiltInProvider> = new Map(Object.entries(providers))

/** The provider reached through AWS's own protocol. */
export const bedrockName = "bedrock"
