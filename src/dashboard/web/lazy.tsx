/** Pages that are loaded when they are first shown. */
import type { ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Failure, Skeleton } from "./components/Layout.tsx"

export const lazy = <Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name
): ComponentType => {
  let loaded: ComponentType | undefined
  return () => {
    const [, setTurn] = useState(0)
    const [failure, setFailure] = useState<unknown>()
    const start = () => {
      setFailure(undefined)
      load().then((module) => {
        loaded = module[name]
        setTurn((turn) => turn + 1)
      }, setFailure)
    }
    useEffect(() => {
      if (loaded === undefined) start()
    }, [])
    const Page = loaded
    if (Page !== undefined) return <Page />
    return failure === undefined ? <Skeleton rows={5} /> : <Failure error={failure} retry={start} />
  }
}
