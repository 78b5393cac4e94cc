/** Pages that are loaded when they are first shown. */
import type { ComponentChildren, ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Failure, Skeleton } from "./components/Layout.tsx"

/** A file that was missed once is not asked for again by the browser, or has another name since an update: both need the page anew. */
const reloadPage = () => {
  const reload = (response: Response) => {
    if (response.ok) location.reload()
  }
  // Not while the server is away: the browser would show a page of its own.
  fetch(location.href, { method: "HEAD" }).then(reload, () => {})
}

/** What was typed elsewhere on the page would be lost. */
const reloadIfNothingIsTyped = () => {
  if (document.forms.length === 0) reloadPage()
}

/** `waiting` is shown until it is there. */
export const lazy = <Name extends string, Properties = object>(
  load: () => Promise<Readonly<Record<Name, ComponentType<NoInfer<Properties>>>>>,
  name: Name,
  waiting: ComponentChildren = <Skeleton rows={5} />
): ComponentType<Properties> => {
  let loaded: ComponentType<Properties> | undefined
  return (properties) => {
    const [, setTurn] = useState(0)
    const [failure, setFailure] = useState<unknown>()
    useEffect(() => {
      if (loaded !== undefined) return
      load().then((module) => {
        loaded = module[name]
        setTurn((turn) => turn + 1)
      }, setFailure)
    }, [])
    const Page = loaded
    if (Page !== undefined) return <Page {...properties} />
    if (failure === undefined) return <>{waiting}</>
    return <Failure error={failure} retry={reloadPage} onOnline={reloadIfNothingIsTyped} />
  }
}
