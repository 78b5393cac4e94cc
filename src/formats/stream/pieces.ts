/**
 * Most events of a stream are a few characters more of a text, of a thought, or of what a tool is called with. Such a piece
 * goes through a conversion as it stands in the upstream's JSON string, since any other JSON string may hold the same:
 * its event is neither parsed nor written anew. Whoever can not take a piece gets its event, as all others.
 */
import type { JsonObject } from "../json/json.ts"

export type PieceKind = "text" | "thinking" | "input"

/** Where pieces belong. It is one and the same object for all that follow one another there. */
export interface PiecePlace {
  readonly kind: PieceKind
  /** The number of the block, of the item, or of the call, as the protocol counts them. */
  readonly index: number
  /** The part of the item that a thought belongs to, where the protocol tells parts apart. */
  readonly part?: number | "text" | undefined
}

/** Who takes what is read of a stream. */
export interface EventSink {
  event(event: JsonObject): void
  /** `json` stands within the quotes of a JSON string and is not empty. `false` asks for the event instead. */
  piece(place: PiecePlace, json: string): boolean
}

/** What a piece says. */
export const plainOf = (json: string): string =>
  json.includes("\\") ? (JSON.parse(`"${json}"`) as string) : json

/** The text as it stands within a JSON string. */
export const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Keeps the place of the last piece. */
export class LastPlace {
  #place: PiecePlace = { kind: "text", index: -1 }

  at(kind: PieceKind, index: number): PiecePlace {
    if (this.#place.index !== index || this.#place.kind !== kind) this.#place = { kind, index }
    return this.#place
  }
}
