/** What the tests of a stop start, for as long as the test runs. */
import { onTestFinished } from "vitest"
import { type GatewayOptions, startGateway, type TestGateway } from "../gateway/start-gateway.ts"
import { startTestDatabase, type TestDatabase } from "../storage/start-database.ts"

export const start = async (options: GatewayOptions = {}): Promise<TestGateway> => {
  const gateway = await startGateway(options)
  onTestFinished(() => gateway.stop())
  return gateway
}

/** For several gateways: started before them, it is stopped after them. */
export const startDatabase = async (): Promise<TestDatabase> => {
  const database = await startTestDatabase()
  onTestFinished(database.stop)
  return database
}
