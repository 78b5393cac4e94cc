/** What the program is started with, on a free port, and without a dashboard. */
export const serverEnvironment = (place: { readonly dataDir: string; readonly databaseUrl: string }) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: process.env["HOME"] ?? "/tmp",
  DATA_DIR: place.dataDir,
  DATABASE_URL: place.databaseUrl,
  PORT: "0",
  GATEWAY_THREADS: "1",
  DASHBOARD: "off"
})
