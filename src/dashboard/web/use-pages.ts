/** A list that comes in pages: more of it adds up, another question begins anew. */
import { useEffect, useRef, useState } from "preact/hooks"

export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Where the next page begins. */
  readonly next: string | null
}

export interface Pages<A> extends Page<A> {
  readonly isLoading: boolean
  readonly failure: unknown
  readonly more: () => void
  readonly again: () => void
}

export const usePages = <A>(
  load: (before: string | undefined) => Promise<Page<A>>,
  inputs: ReadonlyArray<unknown>
): Pages<A> => {
  const [page, setPage] = useState<Page<A>>({ items: [], next: null })
  const [isLoading, setLoading] = useState(true)
  const [failure, setFailure] = useState<unknown>()
  const [turn, setTurn] = useState(0)
  const question = useRef(0)
  const fetchPage = async (before: string | undefined) => {
    const asked = question.current
    // An answer, and what comes after it, is of no use once another question was asked.
    const isCurrent = () => asked === question.current
    setLoading(true)
    setFailure(undefined)
    try {
      const { items, next } = await load(before)
      if (isCurrent())
        setPage((former) => ({ items: before === undefined ? items : [...former.items, ...items], next }))
    } catch (error) {
      if (!isCurrent()) return
      setFailure(error)
      // What another question was answered with must not pass for the answer to this one.
      if (before === undefined) setPage({ items: [], next: null })
    } finally {
      if (isCurrent()) setLoading(false)
    }
  }
  useEffect(() => {
    void fetchPage(undefined)
    return () => {
      question.current += 1
    }
  }, [...inputs, turn])
  return {
    ...page,
    isLoading,
    failure,
    more: () => void fetchPage(page.next ?? undefined),
    again: () => setTurn((former) => former + 1)
  }
}
