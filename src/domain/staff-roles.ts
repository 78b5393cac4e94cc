/** Who of the staff may do what. Whoever has a role is an operator. */
export const staffRoles = ["support", "finance", "owner"] as const
export type StaffRole = (typeof staffRoles)[number]

/**
 * What an operator's endpoint is part of. `look`: to read; `help`: to help customers with their keys and their way in;
 * `money`: credits, transfers, prices, invoices,
 * and to read what providers are paid and what is earned; `run`: the service itself, its staff, who may use it.
 */
export type Duty = "look" | "help" | "money" | "run"

const dutiesOf: Readonly<Record<StaffRole, ReadonlyArray<Duty>>> = {
  support: ["look", "help"],
  finance: ["look", "money"],
  owner: ["look", "help", "money", "run"]
}

export const mayDo = (role: StaffRole | undefined, duty: Duty): boolean =>
  role !== undefined && dutiesOf[role].includes(duty)
