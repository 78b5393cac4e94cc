/** The text inside a VietQR code: EMVCo fields with the NAPAS bank, account, amount and memo, sealed by a CRC16. */

export interface QrPayment {
  /** Six digits that name the bank. */
  readonly bankBin: string
  readonly accountNumber: string
  readonly amountVnd: bigint
  readonly memo: string
}

/** Throws on anything a bank's reader would misread. */
export const buildVietQr = (payment: QrPayment): string => {
  if (!/^\d{6}$/.test(payment.bankBin)) throw new RangeError("the bank's BIN must be six digits")
  if (!/^[A-Za-z0-9]{1,19}$/.test(payment.accountNumber))
    throw new RangeError("the account number must be 1 to 19 letters or digits")
  if (payment.amountVnd < 1n || payment.amountVnd > 9_999_999_999_999n)
    throw new RangeError("the amount must be 1 to 13 digits")
  if (!/^[A-Za-z0-9 ]{1,25}$/.test(payment.memo))
    throw new RangeError("the memo must be 1 to 25 plain letters, digits or spaces")
  const beneficiary = field("00", payment.bankBin) + field("01", payment.accountNumber)
  const text = [
    field("00", "01"),
    field("01", "12"),
    field("38", field("00", "A000000727") + field("01", beneficiary) + field("02", "QRIBFTTA")),
    field("53", "704"),
    field("54", payment.amountVnd.toString()),
    field("58", "VN"),
    field("62", field("08", payment.memo)),
    "6304"
  ].join("")
  return text + crc16(text)
}

const field = (id: string, value: string): string =>
  `${id}${value.length.toString().padStart(2, "0")}${value}`

/** CRC16/CCITT-FALSE as four hex digits. */
const crc16 = (text: string): string => {
  let crc = 0xff_ff
  for (const byte of Buffer.from(text, "latin1")) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++)
      crc = ((crc & 0x80_00) === 0 ? crc << 1 : (crc << 1) ^ 0x10_21) & 0xff_ff
  }
  return crc.toString(16).toUpperCase().padStart(4, "0")
}
