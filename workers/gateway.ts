/** The thread entry of a gateway: its layers, and what it says to the main thread. */
import "../src/threads/without-async-context.ts"

const { runGatewayThread } = await import("../src/threads/gateway-thread.ts")
runGatewayThread()
