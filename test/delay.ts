/**
 * Time that passes for its own sake, or for what is on its way between two ends of this very thread; what can be seen to come is
 * waited for by `until`. A thread that was held up comes to its timers first: therefore what is there is read before this is
 * over, too.
 */
import { setImmediate as immediate, setTimeout } from "node:timers/promises"

export const delay = async (ms: number): Promise<void> => {
  await setTimeout(ms)
  for (let turn = 0; turn < 2; turn++) await immediate()
}
