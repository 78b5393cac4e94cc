/** Whether it looks like a mail address: whose it is, only mail that comes there can show. */
export const isEmail = (typed: string): boolean => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(typed)
