/** What pages and mails are in. */
export type Language = "vi" | "en"
