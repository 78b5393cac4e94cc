/** One attempt to deliver one alert. */
import { openText, type SealKey } from "../accounts/seal-key.ts"
import { MailNotSent, type MailServer, sendMail } from "../accounts/send-mail.ts"
import type { DeliveryOutcome } from "../domain/delivery-outcome.ts"
import { type Alert, type DueDelivery, findDue, recordAttempt } from "../storage/alerts/DeliveryStore.ts"
import type { JobQueue } from "../storage/jobs/JobQueue.ts"
import type { JobOutcome } from "../storage/jobs/JobWorker.ts"
import { readSecrets } from "../storage/alerts/WebhookStore.ts"
import { writeAlertMail } from "./alert-mail.ts"
import type { PostOutcome, WebhookPoster } from "./post-webhook.ts"
import { deliveryMsMax, queueOf } from "./queues.ts"
import { signWebhook } from "./sign-webhook.ts"

export interface DeliveryTools {
  readonly queue: JobQueue
  /** As of now: it does not outlive the settings. */
  readonly poster: Pick<WebhookPoster, "post">
  readonly findSealKey: (sealKeyId: string) => SealKey | undefined
  readonly mail: MailServer | undefined
  /** Where links in mails lead. */
  readonly publicUrl: string
  readonly onAttempt: (channel: "mail" | "webhook", outcome: "delivered" | "failed" | "given_up") => void
}

/** Attempts are counted in the delivery; the job only says when the next one is. */
export const deliver = async (tools: DeliveryTools, id: string): Promise<JobOutcome> => {
  const { onAttempt, queue } = tools
  const due = await queue.run((sql) => findDue(sql, id))
  if (due === undefined) return "done"
  const { address } = due
  const isLast = address === undefined || due.triedMs >= deliveryMsMax
  const waits = due.isPaused ? paused : due.isTooMany ? tooMany : undefined
  if (waits !== undefined && !isLast) return "again"
  const { isDelivered, isFinal, outcome } =
    address === undefined ? nobodyOf(due) : (waits ?? (await attempt(tools, { ...due, address })))
  const status = isDelivered ? "delivered" : isLast || isFinal ? "given_up" : "pending"
  await queue.run((sql) => recordAttempt(sql, due, outcome, status))
  onAttempt(due.channel, status === "pending" ? "failed" : status)
  return status === "pending" ? "again" : "done"
}

const failed = (outcome: DeliveryOutcome): PostOutcome => ({ isDelivered: false, outcome })

const paused = failed("paused")
const tooMany = failed("too many mails")
/** A webhook may have been deleted while the alert was raised, or sent once more. */
const nobodyOf = ({ channel }: DueDelivery) =>
  failed(channel === "webhook" ? "deleted" : "no member any more")

type Addressed = DueDelivery & { readonly address: string }

const attempt = (tools: DeliveryTools, due: Addressed): Promise<PostOutcome> =>
  due.channel === "mail" ? mailAlert(tools, due) : postAlert(tools, due)

/**
 * A server may look through a mail for minutes before it says that it has taken it: whoever waits for less sends it again and
 * again (RFC 5321 §4.5.3.2.6).
 */
const patience = { silenceMsMax: 300_000, mailMsMax: (queueOf.mail.attemptSecondsMax - 60) * 1_000 }

const mailAlert = async ({ mail, publicUrl }: DeliveryTools, due: Addressed): Promise<PostOutcome> => {
  if (mail === undefined) return failed("no mail server")
  const { subject, text } = writeAlertMail(due.alert, due, publicUrl)
  // What the account and the member are sent are two messages.
  const messageId = `${due.memberOf === undefined ? due.alert.id : due.id}@${new URL(publicUrl).hostname}`
  try {
    await sendMail(mail, { to: due.address, subject, text, messageId }, patience)
    return { isDelivered: true, outcome: "sent" }
  } catch (cause) {
    if (!(cause instanceof MailNotSent)) return failed("not sent")
    return { isDelivered: false, outcome: cause.outcome, isFinal: cause.isOfNobody }
  }
}

const postAlert = async (tools: DeliveryTools, due: Addressed): Promise<PostOutcome> => {
  const { findSealKey, queue } = tools
  const endpointId = due.endpointId!
  const sealed = await queue.run((sql) => readSecrets(sql, endpointId))
  const secrets = sealed.flatMap(({ sealed, sealKeyId }) => {
    const sealKey = findSealKey(sealKeyId)
    const secret = sealKey && openText(sealKey, webhookPlace(endpointId), sealed)
    return secret === undefined ? [] : [secret]
  })
  // Never unsigned: whoever takes it could not know that it is ours.
  if (secrets.length === 0) return failed("no secret")
  const body = webhookBody(due.alert, due.accountId)
  // Not before: settings that are read again put another in its place.
  return tools.poster.post(due.address, body, { ...signWebhook(secrets, due.alert.id, Date.now(), body) })
}

/** What a sealed secret of a webhook is bound to. */
export const webhookPlace = (endpointId: string) => ({ kind: "webhook", id: endpointId })

/** The same bytes in every attempt. */
const webhookBody = ({ atMs, detail, kind }: Alert, accountId: string): string =>
  JSON.stringify({
    type: kind,
    timestamp: new Date(atMs).toISOString(),
    account_id: accountId,
    data: detail
  })
