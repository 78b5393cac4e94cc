/** Every question, in the order of the report. */
import type { Question } from "../Question.ts"
import { agents } from "./agents.ts"
import { commitLatency } from "./commit-latency.ts"
import { conversion } from "./conversion.ts"
import { convertedStreams } from "./converted-streams.ts"
import { fiftyNodes } from "./fifty-nodes.ts"
import { hotWallet } from "./hot-wallet.ts"
import { largeBodyStalls } from "./large-body-stalls.ts"
import { largePrompts } from "./large-prompts.ts"
import { ledgerAlone } from "./ledger-alone.ts"
import { manyWallets } from "./many-wallets.ts"
import { nodes } from "./nodes.ts"
import { openStreams } from "./open-streams.ts"
import { otherGateways } from "./other-gateways.ts"
import { pages } from "./pages.ts"
import { plainCall } from "./plain-call.ts"
import { slowReaders } from "./slow-readers.ts"
import { startUp } from "./start-up.ts"
import { streams } from "./streams.ts"
import { threads } from "./threads.ts"
import { tls } from "./tls.ts"

export const questions: ReadonlyArray<Question> = [
  plainCall,
  largePrompts,
  agents,
  streams,
  tls,
  conversion,
  convertedStreams,
  openStreams,
  largeBodyStalls,
  slowReaders,
  hotWallet,
  manyWallets,
  ledgerAlone,
  nodes,
  fiftyNodes,
  pages,
  commitLatency,
  threads,
  startUp,
  otherGateways
]
