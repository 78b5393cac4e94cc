/** Answers, and items of theirs, that providers have stored for an account's calls. */
import { Effect } from "effect"
import type { AccountId } from "../../domain/ids.ts"
import type { Answer } from "../bridge/protocol.ts"
import { batched } from "../journal/batched.ts"
import type { Journal } from "../journal/Journal.ts"
import { orNotNow } from "./at-once.ts"

export class StoredAnswers {
  readonly #call
  readonly #items

  constructor(journal: Journal["Service"]) {
    this.#call = batched(journal, (store, asks: ReadonlyArray<CallAsk>) =>
      Promise.all(asks.map(({ accountId, storedIdHash }) => store.findStoredCall(accountId, storedIdHash)))
    )
    this.#items = batched(journal, (store, asks: ReadonlyArray<ItemsAsk>) =>
      Promise.all(asks.map(({ accountId, hashes }) => store.findStoredItems(accountId, hashes)))
    )
  }

  findCall(ask: CallAsk): Effect.Effect<Answer> {
    return orNotNow(Effect.map(this.#call(ask), (tokens) => ({ _tag: "StoredCall", tokens }) as const))
  }

  findItems(ask: ItemsAsk): Effect.Effect<Answer> {
    return orNotNow(Effect.map(this.#items(ask), (items) => ({ _tag: "StoredItems", ...items }) as const))
  }
}

interface CallAsk {
  readonly accountId: AccountId
  readonly storedIdHash: Uint8Array
}

interface ItemsAsk {
  readonly accountId: AccountId
  readonly hashes: ReadonlyArray<Uint8Array>
}
