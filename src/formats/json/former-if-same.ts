/** The former list where the one made of it holds the same values, so that whoever compares them sees that nothing changed. */
export const formerIfSame = <Item>(
  made: ReadonlyArray<Item>,
  former: ReadonlyArray<Item>
): ReadonlyArray<Item> =>
  made.length === former.length && made.every((item, place) => item === former[place]) ? former : made
