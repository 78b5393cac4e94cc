/** Names for what the API answers. */
import type { AnswerTo } from "./endpoints.ts"

export type Session = AnswerTo<"GET", "/session">
export type SignedInPerson = NonNullable<Session["person"]>
export type SessionList = AnswerTo<"GET", "/sessions">
export type SessionEntry = SessionList["sessions"][number]

export type Overview = AnswerTo<"GET", "/overview">
export type OutlookAnswer = AnswerTo<"GET", "/overview/outlook">
export type Key = AnswerTo<"GET", "/keys">["keys"][number]
export type Token = AnswerTo<"GET", "/tokens">["tokens"][number]
export type Member = AnswerTo<"GET", "/members">["members"][number]
export type FormerMember = AnswerTo<"GET", "/members">["former"][number]
export type Spending = NonNullable<Member["budget"]>
export type Invitation = AnswerTo<"GET", "/members">["invitations"][number]
export type Usage = AnswerTo<"GET", "/usage">
export type UsageSum = Usage["total"]
export type Call = AnswerTo<"GET", "/calls">["calls"][number]

export type TopUps = AnswerTo<"GET", "/top-ups">
export type Order = TopUps["orders"][number]
export type Model = AnswerTo<"GET", "/models">["models"][number]

export type StatementPage = AnswerTo<"GET", "/statement">
export type StatementLine = StatementPage["lines"][number]
export type StatementSums = Omit<StatementPage, "lines" | "next">
export type Receipt = AnswerTo<"GET", "/receipts/:id">
export type Billing = AnswerTo<"GET", "/billing">
export type Party = Billing["issuer"]

export type AlertsAnswer = AnswerTo<"GET", "/alerts">
export type AlertSettings = AlertsAnswer["settings"]
export type Webhook = AlertsAnswer["webhooks"][number]
export type Delivery = AnswerTo<"GET", "/alerts/deliveries">["deliveries"][number]

export type Activity = AnswerTo<"GET", "/activity">["entries"][number]
