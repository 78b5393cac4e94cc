/** Names for what the API answers to operators. */
import type { AnswerTo } from "../endpoints.ts"

export type ServiceState = AnswerTo<"GET", "/operator/service">
export type Notice = NonNullable<ServiceState["notice"]>
export type ProviderRoute = AnswerTo<"GET", "/operator/routes">["routes"][number]
export type Hit = AnswerTo<"GET", "/operator/search">["hits"][number]
export type AccountView = AnswerTo<"GET", "/operator/accounts/:id">
export type AccountEntry = AccountView["account"]
export type ToldOf = AnswerTo<"GET", "/operator/accounts/:id/alerts">
export type WaysIn = NonNullable<AnswerTo<"GET", "/operator/accounts/:id/ways-in">["person"]>
export type AuditEntry = AnswerTo<"GET", "/operator/audit">["entries"][number]
export type Transfer = AnswerTo<"GET", "/operator/transfers">["transfers"][number]
export type MarginReport = AnswerTo<"GET", "/operator/margin">
export type MarginRow = MarginReport["rows"][number]
export type ShownChange = AnswerTo<"POST", "/operator/price-changes/preview">["changes"][number]
export type PriceChange = AnswerTo<"GET", "/operator/price-changes">["changes"][number]
export type PurchasePrice = AnswerTo<"GET", "/operator/purchase-prices">["prices"][number]
export type TransferSuggestion = AnswerTo<"GET", "/operator/transfers/:id/suggestions">["suggestions"][number]
export type PricedModel = AnswerTo<"GET", "/operator/models">["models"][number]
