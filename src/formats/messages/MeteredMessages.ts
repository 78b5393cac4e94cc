/** What is counted of a Messages stream by whoever reads its events: what was seen of its output, and what its provider told. */
import type { Usage } from "../../domain/usage.ts"
import type { OutputMeter } from "../meter/output-meter.ts"
import { BlockMeter } from "./BlockMeter.ts"
import { MessagesTally } from "./MessagesTally.ts"

export abstract class MeteredMessages {
  protected readonly blocks = new BlockMeter()
  protected readonly tally = new MessagesTally(this.blocks.output)

  get meter(): OutputMeter {
    return this.blocks.output
  }

  get usage(): Usage | undefined {
    return this.tally.usage
  }

  get usageIsFinal(): boolean {
    return this.tally.isFinal
  }

  get usageIsNonsense(): boolean {
    return this.tally.isNonsense
  }
}
