import type {
  DropReason,
  Envelope,
  IncomingEvent,
  PreparationOutcome,
  PreparedEvent,
  TrafficKind,
} from '#events/event'
import type { AcceptedReceipt, EventDelivery, JointReceipt, Receipt, WireRefusal } from '#wire/dialect'
import { type Outcomes, trafficOf } from '../counts'
import type { FairScheduler } from '../fair-scheduler'
import type { Journal } from './journal'
import { JournalDraft } from './journal-draft'
import { type IngestContext, prepare } from '../prepare'
import { type ProjectLiveEvent, refusedLiveEvent } from '../live-events'
import type { RefusedRequests } from './refused-requests'
import { isSurveyAnswer } from '../steps/internal/survey'

/** The context of `acceptDeliveries`. */
export interface AcceptContext {
  context: IngestContext
  journal: Pick<Journal, 'appendDraft'>
  shares: FairScheduler
  refusedRequests: RefusedRequests
  announce: (event: ProjectLiveEvent) => void
}

/** A delivery whose events may be made only when they are asked for. */
interface IncomingDelivery extends Pick<EventDelivery, 'envelope'> {
  events: Iterable<IncomingEvent>
}

export async function acceptDelivery(
  delivered: IncomingDelivery,
  acceptContext: AcceptContext,
): Promise<Receipt> {
  const joint = await acceptDeliveries([delivered], acceptContext)
  return joint.taken ? (joint.receipts[0] ?? { taken: true, kept: 0, dropped: [] }) : joint
}

/** Acknowledges and counts events only after the journal has them on disk. */
export async function acceptDeliveries(
  deliveries: readonly IncomingDelivery[],
  acceptContext: AcceptContext,
): Promise<JointReceipt> {
  const { context, journal, shares } = acceptContext
  const sender = `project ${deliveries[0]?.envelope.projectId}`
  const running = shares.run(sender, prepareInSlices(deliveries, context))
  const { prepared, draft } = running instanceof Promise ? await running : running
  const appended = await journal.appendDraft(draft)
  if (appended === 'written') {
    const answers = prepared.flatMap((delivery) => delivery.answers)
    if (answers.length > 0) await context.surveys.saved?.(answers)
    return { taken: true, receipts: prepared.map((delivery) => receiptFor(delivery, acceptContext)) }
  }
  for (const { envelope, kept } of prepared) context.quota.giveBack(envelope.projectId, kept.length)
  return { taken: false, retryAfterSeconds: appended.retryAfterSeconds }
}

/** The outcome of a delivery's events. The events themselves are not kept: there may be thousands. */
interface PreparedDelivery extends Outcomes {
  envelope: Envelope
  kept: TrafficKind[]
  dropped: { index: number; name: string; reason: DropReason }[]
  /** The kept events that answer a survey. */
  answers: PreparedEvent[]
}

/** About a fifth of a millisecond of work. */
const eventsPerSlice = 16

/** Prepares events and formats their journal lines; a large batch lets other work in between. */
function* prepareInSlices(
  deliveries: readonly IncomingDelivery[],
  context: IngestContext,
): Generator<void, { prepared: PreparedDelivery[]; draft: JournalDraft }> {
  const prepared: PreparedDelivery[] = []
  const draft = new JournalDraft()
  for (const { events, envelope } of deliveries) {
    const outcome: PreparedDelivery = { envelope, kept: [], dropped: [], answers: [] }
    let index = 0
    for (const event of events) {
      recordOutcome(prepare(event, envelope, context), index++, outcome, draft)
      if (index % eventsPerSlice === 0) yield
    }
    prepared.push(outcome)
  }
  return { prepared, draft }
}

function recordOutcome(
  one: PreparationOutcome,
  index: number,
  { kept, dropped, answers }: PreparedDelivery,
  draft: JournalDraft,
): void {
  if (!one.kept) return void dropped.push({ index, name: one.name, reason: one.reason })
  draft.add(one.event)
  kept.push(trafficOf(one.event))
  if (isSurveyAnswer(one.event)) answers.push(one.event)
}

function receiptFor(delivery: PreparedDelivery, { context, announce }: AcceptContext): AcceptedReceipt {
  const { envelope, kept, dropped } = delivery
  const { projectId, receivedAt } = envelope
  context.counts.recordOutcomes(projectId, delivery)
  for (const { name, reason } of dropped)
    announce({ projectId, liveEvent: { kind: 'dropped', at: receivedAt.toISOString(), name, reason } })
  return {
    taken: true,
    kept: kept.length,
    dropped: dropped.map(({ index, reason }) => ({ index, reason })),
  }
}

/**
 * Shows a refused request. Counts those that were answered 503, and answers to surveys that a page or endpoint of ours
 * refused.
 */
export function noteRefusal(
  refusal: WireRefusal,
  { context, refusedRequests, announce }: AcceptContext,
): void {
  const { dialect, reason, projectId } = refusal
  const now = context.world.now()
  if (reason === 'survey-answers' && projectId !== undefined)
    context.counts.recordOutcomes(projectId, { kept: [], dropped: [{ reason: 'refused-answers' }] })
  if (reason === 'not-now' || reason === 'lost')
    refusedRequests.record({ dialect, isLost: reason === 'lost' }, now)
  announce(refusedLiveEvent(refusal, now))
}
