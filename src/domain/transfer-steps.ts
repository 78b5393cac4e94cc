/** What operators do with a transfer that nobody's order explains, or that was credited to the wrong account, and what it is afterwards. Pure: the caller has locked it. */

/** `returning`: to be given back by hand; `returned`: given back. */
export type TransferStatus = "credited" | "unmatched" | "ignored" | "returning" | "returned" | "dismissed"

export type TransferStep =
  | { readonly _tag: "Assign" }
  /** Takes a credit back out of the wallet that it went to. */
  | { readonly _tag: "TakeBack" }
  /** `reference` names the transfer that gave it back; empty where that is still to be done. */
  | { readonly _tag: "Return"; readonly reference: string }
  | { readonly _tag: "Dismiss" }
  /** Takes a return or a dismissal back. */
  | { readonly _tag: "Reopen" }

export interface StepState {
  readonly status: TransferStatus
  readonly returnReference: string
}

/** `same`: it was done before. `assigned`: it is credited, or was never for crediting. `settled`: it must be reopened first. */
export type StepOutcome = StepState | "same" | "assigned" | "settled"

const waiting: StepState = { status: "unmatched", returnReference: "" }

/** Every state but `ignored` leads back to `unmatched`, from which alone a transfer is credited. */
export const decideStep = ({ returnReference, status }: StepState, step: TransferStep): StepOutcome => {
  if (status === "credited" && step._tag === "TakeBack") return waiting
  if (status === "credited" || status === "ignored") return "assigned"
  switch (step._tag) {
    case "Assign":
      return status === "unmatched" ? { status: "credited", returnReference: "" } : "settled"
    case "TakeBack":
      return status === "unmatched" ? "same" : "settled"
    case "Return":
      if (status === "dismissed") return "settled"
      if (status === "returned")
        return step.reference === "" || step.reference === returnReference ? "same" : "settled"
      if (step.reference !== "") return { status: "returned", returnReference: step.reference }
      return status === "returning" ? "same" : { status: "returning", returnReference: "" }
    case "Dismiss":
      if (status === "dismissed") return "same"
      return status === "unmatched" ? { status: "dismissed", returnReference: "" } : "settled"
    case "Reopen":
      return status === "unmatched" ? "same" : waiting
  }
}
