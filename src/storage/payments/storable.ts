/** What others wrote, as a text of PostgreSQL's, which can not hold NUL. */
export const storable = (text: string): string => text.replaceAll("\0", "\ufffd")
