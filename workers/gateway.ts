/** The thread entry of a gateway: its layers, and what it says to the main thread. */
import { runGatewayThread } from "../src/threads/gateway-thread.ts"

runGatewayThread()
