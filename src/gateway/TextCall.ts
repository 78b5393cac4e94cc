/** What is known of a text call once it has been admitted, and is on its way. */
import type { Prepared } from "../compute/prepare-call.ts"
import type { ProviderSettings } from "../config/settings.ts"
import type { Admitted } from "./admit-text.ts"
import type { ResolvedCall } from "./Call.ts"

export interface TextCall {
  readonly call: ResolvedCall
  readonly provider: ProviderSettings
  /** Without its bytes, which nobody needs while the answer comes. */
  readonly prepared: Omit<Prepared, "bytes">
  readonly admitted: Admitted
}
