/** Of what a form says what its person has changed: the rest may be another by now, and is not written back. */

/** `undefined` where nothing was changed. */
export const changedFields = <Fields extends object>(
  former: Readonly<Record<keyof Fields, unknown>>,
  typed: Fields
): Partial<Fields> | undefined => {
  const names = Object.keys(typed) as Array<keyof Fields>
  const changed = names.filter((name) => !isSame(former[name], typed[name]))
  return changed.length === 0
    ? undefined
    : (Object.fromEntries(changed.map((name) => [name, typed[name]])) as Partial<Fields>)
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
