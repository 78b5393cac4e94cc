/** One signer for each way to reach Bedrock; it caches credentials and signing keys. */
import { noProxies, type Proxies } from "../config/choose-proxy.ts"
import type { ProviderSettings, Route } from "../config/settings.ts"
import { makeBedrockSigner } from "./sign-bedrock.ts"

type Signer = ReturnType<typeof makeBedrockSigner>

const defaultRegion = "us-east-1"

export class BedrockSigners {
  readonly #proxies: Proxies
  readonly #signers = new WeakMap<ProviderSettings, Map<string, Signer>>()

  constructor(proxies = noProxies) {
    this.#proxies = proxies
  }

  of(provider: ProviderSettings, route: Route): Signer {
    const signers = this.#signers.get(provider) ?? new Map<string, Signer>()
    this.#signers.set(provider, signers)
    const known = signers.get(route.id)
    if (known !== undefined) return known
    const { aws } = provider
    const signer = makeBedrockSigner({
      region: aws?.region ?? defaultRegion,
      endpoint: route.baseUrl,
      inferenceProfile: aws?.inferenceProfile,
      bearerToken: route.apiKey === "" ? aws?.bearerToken : route.apiKey,
      accessKeyId: aws?.accessKeyId,
      secretAccessKey: aws?.secretAccessKey,
      sessionToken: aws?.sessionToken,
      proxies: this.#proxies
    })
    signers.set(route.id, signer)
    return signer
  }
}
