/**
 * Ids of a thread's open asks: no two open ones share theirs, and an answer that comes twice or too late meets none. An
 * id tells the slot where its ask waits, and is never 0, which stands for what is not answered.
 */

/** More than a thread has open asks. */
const slotsMax = 2 ** 20
/** So many asks later a slot's ids come again: days, where an ask is open for seconds. Ids stay exact integers. */
const asksMax = 2 ** 32

/** `asked`: how many asks there were before. */
export const askId = (asked: number, slot: number): number => ((asked % asksMax) + 1) * slotsMax + slot

export const slotOf = (id: number): number => id % slotsMax
