/**
 * Texts of every kind, made from a seed: what people write in many languages, what programs write, and what nobody
 * writes. The bound on tokens must lie above the exact count for each.
 */

const seeded = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

const letters = "abcdefghijklmnopqrstuvwxyz"
const base64 = `ABCDEFGHIJKLMNOPQRSTUVWXYZ${letters}0123456789+/`
const marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

/** Names of regions, languages and currencies as people of a language write them. */
const names = (locale: string): string => {
  const codes = Array.from({ length: 676 }, (_, index) => [Math.floor(index / 26), index % 26] as const)
  // Each of these takes longer to make than all that is asked of it.
  const namesOf = (type: "region" | "language" | "currency", codes: ReadonlyArray<string>) => {
    const displayed = new Intl.DisplayNames(locale, { type, fallback: "none" })
    return codes.map((code) => displayed.of(code))
  }
  return [
    ...namesOf(
      "region",
      codes.map(([first, second]) => String.fromCharCode(65 + first, 65 + second))
    ),
    ...namesOf(
      "language",
      codes.map(([first, second]) => String.fromCharCode(97 + first, 97 + second))
    ),
    ...namesOf("currency", Intl.supportedValuesOf("currency"))
  ]
    .filter((name) => name !== undefined)
    .join(", ")
}

/** The everyday characters of a national set of two bytes. */
const everyday = (label: string, first: number, last: number): Array<string> => {
  const bytes = Array.from({ length: (last - first + 1) * 94 }, (_, index) => [
    first + Math.floor(index / 94),
    0xa1 + (index % 94)
  ])
  return [...new TextDecoder(label).decode(Uint8Array.from(bytes.flat()))].filter(
    (character) => character !== "\ufffd"
  )
}

const prose: Readonly<Record<string, string>> = {
  english:
    "A prepaid gateway holds part of the balance, then settles by the tokens that were really used. If the customer " +
    "leaves half way, only what was consumed is charged; nothing is charged for any failure of the provider.\n",
  vietnamese:
    "Cổng trả trước sẽ giữ một phần số dư, sau đó thanh toán theo số token thực tế đã dùng. Nếu khách hàng rời đi " +
    "giữa chừng, chúng tôi chỉ tính phần đã tiêu thụ. Mọi lỗi từ phía nhà cung cấp đều không bị tính phí.\n",
  chinese:
    "预付费的网关会先冻结一部分余额，然后根据实际使用的令牌数量进行结算。如果客户在中途离开，我们只收取已经消耗的部分。",
  japanese:
    "ゲートウェイは残高の一部を予約し、実際に使用されたトークン数に応じて精算します。途中で接続が切れた場合は、すでに消費された分だけを請求します。",
  korean:
    "선불 게이트웨이는 잔액의 일부를 예약한 다음 실제로 사용된 토큰 수에 따라 정산합니다. 고객이 중간에 떠나면 이미 소비된 부분만 청구합니다.",
  russian:
    "Шлюз резервирует часть остатка, а затем списывает столько, сколько токенов было израсходовано на самом деле.\n"
}

const code = `export const settle = (wallet: Wallet, record: CallRecord): Wallet => {
  const hold = wallet.holds.get(record.callId)
  if (hold === undefined) return wallet // Settled before: a retry changes nothing.
  return { ...wallet, balance: wallet.balance - record.cost, holds: without(wallet.holds, record.callId) }
}
`

export interface Corpus {
  readonly name: string
  readonly text: string
  /** What people and programs really write, for which the bound should also be tight. */
  readonly typical: boolean
}

export const corpora = (seed = 12_345): ReadonlyArray<Corpus> => {
  const random = seeded(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const repeat = (times: number, make: () => string) => Array.from({ length: times }, make).join("")
  const of = (alphabet: string | ReadonlyArray<string>, length: number) =>
    repeat(length, () => alphabet[below(alphabet.length)]!)
  const within = (first: number, last: number, length = 4_000) =>
    repeat(length, () => String.fromCodePoint(first + below(last - first + 1)))
  const emoji = Array.from({ length: 0xb00 }, (_, index) => String.fromCodePoint(0x1f000 + index)).filter(
    (character) => /\p{Emoji_Presentation}/u.test(character)
  )
  const records = Array.from({ length: 60 }, (_, index) => ({
    id: index,
    name: of(letters, 6),
    price: below(90_000) / 100,
    tags: ["new", "used"]
  }))

  const typical: Record<string, string> = {
    ...Object.fromEntries(
      Object.entries(prose).map(([language, text]) => [`${language} prose`, text.repeat(20)])
    ),
    code: code.repeat(30),
    "compact JSON": JSON.stringify(records),
    "indented JSON": JSON.stringify(records, null, 2),
    "markdown table": "| name | price | left |\n| --- | ---: | --- |\n".repeat(60),
    "words in snake_case": repeat(
      2_000,
      () => ["get_user_name ", "list_models ", "call_id ", "max_tokens "][below(4)]!
    ),
    ...Object.fromEntries(
      ["en", "de", "fr", "vi", "ru", "zh", "ja"].map((locale) => [`names in ${locale}`, names(locale)])
    )
  }
  const extraordinary: Record<string, string> = {
    ...Object.fromEntries(
      ["ko", "th", "hi", "ar", "el", "tr", "he", "pl", "am", "ka", "km", "ta", "bn", "my"].map((locale) => [
        `names in ${locale}`,
        names(locale)
      ])
    ),
    "one letter": "a".repeat(3_000),
    "random letters": repeat(40, () => `${of(letters, 400)}\n`),
    "random capitals": repeat(40, () => `${of(letters.toUpperCase(), 400)}\n`),
    "random words": repeat(3_000, () => `${of(letters, 1 + below(10))} `),
    "single letters": " a".repeat(3_000),
    "lines of one letter": "a\n".repeat(3_000),
    base64: repeat(60, () => `${of(base64, 300)}\n`),
    hexadecimal: repeat(60, () => `${of("0123456789abcdef", 300)}\n`),
    digits: of("0123456789", 12_000),
    numbers: repeat(4_000, () => `${below(10 ** (1 + below(8)))} `),
    "comma-separated values": repeat(1_000, () => `${below(1e6) / 100},${below(1e5) / 100},${below(1e4)}\n`),
    "every printable character": within(32, 126, 12_000),
    marks: of(marks, 12_000),
    rules: "-".repeat(3_000),
    spaces: " ".repeat(5_000),
    "line ends": "\n".repeat(3_000),
    "blanks of all kinds": of(" \t\n\r", 12_000),
    "indented lines": repeat(800, () => `${" ".repeat(below(40))}${of(letters, 5)}\n`),
    "control characters": within(0, 31),
    "everyday Chinese at random": of(everyday("gbk", 0xb0, 0xd7), 6_000),
    "everyday Korean at random": of(everyday("euc-kr", 0xb0, 0xc8), 6_000),
    "any Chinese": within(0x4e00, 0x9fa5),
    "any Korean": within(0xac00, 0xd7a3),
    kana: within(0x3041, 0x30fe),
    thai: within(0xe01, 0xe5b),
    cyrillic: within(0x400, 0x4ff),
    "any Latin letters": within(0xc0, 0x24f),
    "any of the basic plane": repeat(4_000, () =>
      String.fromCharCode(random() < 0.8 ? 0x80 + below(0xd700) : 0xe000 + below(0x1f00))
    ),
    emoji: of(emoji, 4_000),
    "emoji with tones and joiners": repeat(2_000, () => `${of(emoji, 1)}\u{1f3fd}\u200d${of(emoji, 1)}`),
    flags: within(0x1f1e6, 0x1f1ff),
    "historic characters": within(0x20000, 0x2a6d6, 3_000),
    "mathematical letters": within(0x1d400, 0x1d7ff, 3_000),
    "box drawing": of("─│┌┐└┘├┤═║█▓●■→←↑↓", 4_000)
  }
  return [
    ...Object.entries(typical).map(([name, text]) => ({ name, text, typical: true })),
    ...Object.entries(extraordinary).map(([name, text]) => ({ name, text, typical: false }))
  ]
}
