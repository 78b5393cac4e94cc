/** Who issues electronic invoices. Another provider is another implementation of this. */

export interface InvoiceDraft {
  /** Unique, by us: the provider keeps it, so that an invoice can be found whose answer was lost. */
  readonly reference: string
  /** Whole dong, tax included. */
  readonly amountVnd: bigint
  readonly company: string
  readonly taxCode: string
  readonly address: string
  readonly email: string
}

export interface IssuedInvoice {
  readonly number: string
  /** Where it can be seen; empty where the provider names none. */
  readonly url: string
}

export type InvoiceAnswer =
  | { readonly _tag: "Issued"; readonly invoice: IssuedInvoice }
  /** It is being worked on; `tracking` asks after it. */
  | { readonly _tag: "Pending"; readonly tracking: string | undefined }
  /** It does not exist there. */
  | { readonly _tag: "Unknown" }
  /** It will not be issued as it is; `problem` is for operators. */
  | { readonly _tag: "Refused"; readonly problem: string }
  /** Nothing has happened there, and it may be tried again. */
  | { readonly _tag: "NotSent"; readonly problem: string }
  /** No answer that says whether anything has happened. */
  | { readonly _tag: "Lost"; readonly problem: string }

export interface InvoiceProvider {
  readonly name: string
  /** Asks for a new invoice. Never to be repeated for one whose answer was lost. */
  readonly create: (draft: InvoiceDraft, sentAtMs: number) => Promise<InvoiceAnswer>
  /** Asks how it goes with one that was taken; of what was known by `tracking` once the provider may know nothing any more. */
  readonly check: (tracking: string) => Promise<InvoiceAnswer>
  /** Looks for one by our own reference. */
  readonly find: (reference: string) => Promise<InvoiceAnswer>
  readonly close: () => Promise<void>
}
