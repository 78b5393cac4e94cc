/** What a provider keeps so that later calls can build upon it. */
export interface StoredAnswer {
  readonly id: string
  /** Of the items that it is made of, where each can be referred to. */
  readonly itemIds: ReadonlyArray<string>
}

/** Stored items that a call refers to. */
export interface StoredItems {
  /** Recorded tokens of the calls that stored them. */
  readonly tokens: number
  /** The place of the first that no call of the account has stored; `undefined`: there is none. */
  readonly missing: number | undefined
}
