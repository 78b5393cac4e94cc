/** What the product is, in English. */
import type { vietnamese } from "./pitch-vi.ts"

export const english: typeof vietnamese = {
  title: "One key, every model.",
  pitch: "Prepaid in dong, charged to the exact token. Works with the SDKs and tools you already use.",
  points: [
    "Top up by bank QR code, credited instantly",
    "Prices in dong, no rounding, no hidden fees",
    "Prompts and answers are never stored"
  ]
}
