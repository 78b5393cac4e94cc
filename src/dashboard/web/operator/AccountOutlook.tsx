/** To "I get 402 though there is money": what a customer's calls hold, and what refused them. */
import { get } from "../api.ts"
import { Ahead, RefusedCalls } from "../components/Refused.tsx"
import { useLoad } from "../use-load.ts"

interface AccountOutlookProperties {
  readonly accountId: string
  /** Another one has another outlook. */
  readonly balance: string
}

export const AccountOutlook = ({ accountId, balance }: AccountOutlookProperties) => {
  const { data } = useLoad(
    () => get("/operator/accounts/:id/outlook", {}, { id: accountId }),
    [accountId, balance]
  )
  // The page says everything else without it.
  if (data === undefined) return null
  return (
    <>
      <Ahead data={data} />
      {data.refused && <RefusedCalls refused={data.refused} />}
    </>
  )
}
