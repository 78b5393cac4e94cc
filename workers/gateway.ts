/** The thread entry of a gateway: its layers, and what it says to the main thread. */
import "../src/threads/without-async-context.ts"
import { runGatewayThread } from "../src/threads/gateway-thread.ts"

runGatewayThread()
