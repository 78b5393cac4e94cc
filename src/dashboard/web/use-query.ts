/** What a page is asked for, kept in its address: to reload it, to come back to it and to pass it on keeps it. */
import { useEffect, useRef, useState } from "preact/hooks"
import { noteQuery } from "./router.ts"

type Query = Readonly<Record<string, string>>

/** `usual` is what holds where the address says nothing; it does not stand in the address. */
export const useQuery = <A extends Query>(usual: A): readonly [A, (changes: Partial<A>) => void] => {
  const [query, setQuery] = useState<A>(() => {
    const given = new URLSearchParams(location.search)
    const values = Object.entries(usual).map(([name, value]) => [name, given.get(name) ?? value])
    return Object.fromEntries(values) as A
  })
  const isLeft = useRef(false)
  useEffect(() => () => void (isLeft.current = true), [])
  const change = (changes: Partial<A>) => {
    // What ends late must not change the address of the page that was gone to meanwhile.
    if (isLeft.current) return
    const next = { ...query, ...changes }
    setQuery(next)
    noteQuery(Object.fromEntries(Object.entries(next).filter(([name, value]) => value !== usual[name])))
  }
  return [query, change]
}
