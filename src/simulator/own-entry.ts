/** What a table holds under a name that a caller chose, which may be `constructor`. */
export const ownEntry = <A>(table: Readonly<Record<string, A>>, name: string): A | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined
