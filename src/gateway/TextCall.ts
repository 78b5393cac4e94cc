/** What is known of a text call once it has been admitted. */
import type { Prepared } from "../compute/prepare-call.ts"
import type { ProviderSettings } from "../config/settings.ts"
import type { Model } from "../domain/catalogue.ts"
import type { Way } from "../formats/pairs.ts"
import type { Admitted } from "./admit-text.ts"
import type { ResolvedCall } from "./Call.ts"

/** A text call that is on its way. */
export interface TextCall {
  readonly call: ResolvedCall
  readonly way: Way
  readonly model: Model
  readonly provider: ProviderSettings
  /** Without its bytes, which nobody needs while the answer comes. */
  readonly prepared: Omit<Prepared, "bytes">
  readonly admitted: Admitted
}
