/** What is said of an invoice that is not issued, in these words where it is ours. */
import { invoiceProblems } from "../../../domain/invoice-problems.ts"

type Problem = keyof typeof invoiceProblems

export const problemIn = (words: Readonly<Record<Problem, string>>, problem: string): string => {
  const own = (Object.keys(invoiceProblems) as Array<Problem>).find((key) => invoiceProblems[key] === problem)
  return own === undefined ? problem : words[own]
}
