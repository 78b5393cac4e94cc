/** What a customer used, and the call that was searched for. */
import { useContext, useState } from "preact/hooks"
import { Customer, usePapers } from "../papers.tsx"
import { CallDetails } from "../pages/CallDetails.tsx"
import { Usage } from "../pages/Usage.tsx"
import { noteQuery } from "../router.ts"
import { useLoad } from "../use-load.ts"

export const AccountUsage = () => {
  const [callId, setCallId] = useState(() => new URLSearchParams(location.search).get("call"))
  const id = useContext(Customer) ?? ""
  const close = () => {
    setCallId(null)
    noteQuery({ id, view: "usage" })
  }
  return (
    <>
      <Usage />
      {callId !== null && <SoughtCall id={callId} onClose={close} />}
    </>
  )
}

/** It may be older than the period that is shown. */
const SoughtCall = ({ id, onClose }: { readonly id: string; readonly onClose: () => void }) => {
  const papers = usePapers()
  const [call] = useLoad(() => papers.calls({ request_id: id }), [papers, id]).data?.calls ?? []
  return call === undefined ? null : <CallDetails call={call} onClose={onClose} />
}
