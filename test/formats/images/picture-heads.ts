/** The first bytes of pictures. */
export const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")
export const jpeg = Buffer.from("ffd8ffe000104a46494600", "hex")
export const gif = Buffer.from("GIF89a\x01\x00\x01\x00")
export const webp = Buffer.from("RIFF\x24\x00\x00\x00WEBPVP8 ")
