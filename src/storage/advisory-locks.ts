/**
 * Advisory locks of PostgreSQL, each as `(class, 0)`, by what is done by one at a time; that of passwords as `(class, hash)`,
 * for each person. Functions of the schema take three more: 712001 as a node begins its life, 712002 as partitions of calls
 * are made, 712003 as an event is told.
 */
export const advisoryLocks = {
  migrations: 712_000,
  months: 712_004,
  prices: 712_005,
  reconciliation: 712_006,
  addedRoutes: 712_045,
  passwords: 712_046
} as const
