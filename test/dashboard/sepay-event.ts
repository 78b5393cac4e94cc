/** What SePay sends of a transfer. */

export interface SepayEvent {
  readonly id?: number | string
  readonly transferType?: string
  readonly transferAmount?: number | string
  readonly accountNumber?: string
  readonly subAccount?: string | null
  readonly content?: string
  readonly transactionDate?: string
  readonly referenceCode?: string
}

export const sepayBody = (event: SepayEvent): string =>
  JSON.stringify({
    id: 92_704,
    gateway: "Vietcombank",
    transactionDate: "2026-11-20 14:02:37",
    accountNumber: "0123456789",
    subAccount: null,
    code: null,
    content: "",
    transferType: "in",
    description: "",
    transferAmount: 50_000,
    accumulated: 19_077_000,
    referenceCode: "MBVCB.3278907687",
    ...event
  })
