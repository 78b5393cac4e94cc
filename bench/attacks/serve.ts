/** One attack, or a customer, in a process of its own: what its parent sends it to do. */
import { setPriority } from "node:os"
import { Attack, type AttackPlan, type AttackResult } from "./attacks.ts"
import { beCustomer, type CustomerPlan, type CustomerResult } from "./customer.ts"

export type ToServed =
  | { readonly attack: AttackPlan }
  | { readonly customer: CustomerPlan }
  | { readonly stop: true }

const answer = (result: AttackResult | CustomerResult) => process.send!(result)

let attack: Attack | undefined
process.on("message", (message: ToServed) => {
  if ("customer" in message) return void beCustomer(message.customer).then(answer)
  if ("stop" in message) return attack?.stop()
  // An attacker has a machine of its own: here it gets what others leave.
  setPriority(19)
  attack = new Attack(message.attack)
  void attack.run().then(answer)
})
process.on("disconnect", () => process.exit())
