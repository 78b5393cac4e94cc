/** Images in tokens, by each provider's documented formula. */
import type { ImageSize } from "./image-size.ts"

export interface ImageSource {
  /** Unknown for images by URL or file id, and for formats that can not be read. */
  readonly size: ImageSize | undefined
  readonly lowDetail: boolean
}

/** How a family of models cuts images into tokens. */
export interface ImageRule {
  /** Pixels of one patch's edge. */
  readonly patch: number
  /** Larger images are scaled down to this long edge first. */
  readonly edgeMax: number
  readonly patchesMax: number
  /** Of an image that is to be looked at in low detail; absent where that is not known, or never told to the provider. */
  readonly lowPatchesMax?: number
  readonly tokensPerPatch: number
  /** Tokens around each image. */
  readonly frame: number
}

export const imageRules = {
  /** Patches of 28 pixels; long edge 1,568 and about 1,600 tokens. */
  claude: { patch: 28, edgeMax: 1_568, patchesMax: 1_600, tokensPerPatch: 1, frame: 6 },
  /** From Opus 4.7 on: long edge 2,576 and 4,784 tokens. */
  claudeHighResolution: { patch: 28, edgeMax: 2_576, patchesMax: 4_784, tokensPerPatch: 1, frame: 6 },
  /** Patches of 32 pixels, 10,000 at most in original resolution, 1.2 tokens each. */
  gpt: { patch: 32, edgeMax: 6_000, patchesMax: 10_000, lowPatchesMax: 256, tokensPerPatch: 1.2, frame: 8 },
  /** No such limit has been seen below 12 megapixels. */
  gptLarge: {
    patch: 32,
    edgeMax: 6_000,
    patchesMax: 30_000,
    lowPatchesMax: 256,
    tokensPerPatch: 1.2,
    frame: 8
  },
  gptMini: {
    patch: 32,
    edgeMax: 2_048,
    patchesMax: 1_536,
    lowPatchesMax: 256,
    tokensPerPatch: 1.62,
    frame: 8
  },
  /** A fixed budget for each image, whatever its size. */
  gemini: { patch: 1, edgeMax: 1, patchesMax: 1, tokensPerPatch: 1_120, frame: 4 },
  /** Tiles of 448 pixels, six at most and an overview, 256 tokens each. */
  grok: { patch: 28, edgeMax: 2_688, patchesMax: 1_792, lowPatchesMax: 256, tokensPerPatch: 1, frame: 256 },
  /** Patches of 28 pixels up to the high-resolution limit. */
  qwen: { patch: 28, edgeMax: 8_000, patchesMax: 16_384, tokensPerPatch: 1, frame: 4 },
  /** What is not documented is taken to cut patches of 28 pixels, with a mark for each row. */
  other: { patch: 28, edgeMax: 2_576, patchesMax: 4_784, tokensPerPatch: 1.05, frame: 8 }
} as const satisfies Record<string, ImageRule>

/** `unknown` is the number of patches that an image of unknown size is taken for; the most, for a bound. */
export const imageTokens = (image: ImageSource, rule: ImageRule, unknown = Infinity): number => {
  const most = (image.lowDetail ? rule.lowPatchesMax : undefined) ?? rule.patchesMax
  const patches = image.size === undefined ? unknown : patchesOf(image.size, rule)
  return Math.ceil(Math.min(most, patches) * rule.tokensPerPatch) + rule.frame
}

const patchesOf = (size: ImageSize, rule: ImageRule): number => {
  const scale = Math.min(1, rule.edgeMax / Math.max(size.width, size.height))
  return Math.ceil((size.width * scale) / rule.patch) * Math.ceil((size.height * scale) / rule.patch)
}
