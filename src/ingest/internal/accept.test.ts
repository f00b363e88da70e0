import { expect, test } from 'vitest'
import { anIngestContext, anEnvelope, anEvent } from '#test/product/ingest-fixture'
import type { PreparedEvent } from '#events/event'
import type { JournalDraft } from './journal-draft'
import { parseJournalLine } from './journal-lines'
import { recordHeaderBytes } from './journal-records'
import { appendRefusal } from './journal-writer'
import { FairScheduler } from '../fair-scheduler'
import { type AcceptContext, acceptDelivery, acceptDeliveries } from './accept'
import type { ProjectLiveEvent } from '../live-events'
import { RefusedRequests } from './refused-requests'

/** A journal that refuses every so many appends, as one does whose disk is slow. */
async function anAcceptContext({
  refusesEvery = Number.POSITIVE_INFINITY,
  monthlyEvents,
}: Partial<{ refusesEvery: number; monthlyEvents: number }> = {}) {
  const written: PreparedEvent[] = []
  const told: ProjectLiveEvent[] = []
  let appends = 0
  const context: AcceptContext = {
    context: await anIngestContext(undefined, { shields: { pages: ['/admin*'] }, monthlyEvents }),
    journal: {
      appendDraft: async (draft) => {
        if (++appends % refusesEvery === 0) return appendRefusal('queue-full')
        written.push(...eventsIn(draft))
        return 'written'
      },
    },
    shares: new FairScheduler(),
    refusedRequests: new RefusedRequests(),
    announce: (sighted) => told.push(sighted),
  }
  return { context, written, told }
}

function eventsIn(draft: JournalDraft): PreparedEvent[] {
  draft.finish()
  const texts = draft.records.map((record) => record.toString('utf8', recordHeaderBytes))
  return texts.flatMap((text) => text.split('\n').map(parseJournalLine))
}

const view = (path: string) => anEvent({ properties: { $current_url: `https://example.com${path}` } })
const delivery = (...paths: string[]) => ({ events: paths.map(view), envelope: anEnvelope() })

const sum = (counts: object): number =>
  Object.values(counts).reduce<number>((all, one) => all + Number(one), 0)

test('accepted = stored + dropped at all times, however often the journal refuses and senders try again', async () => {
  const { context, written, told } = await anAcceptContext({ refusesEvery: 3 })
  let [accepted, refused] = [0, 0]
  for (let request = 0; request < 100; request++) {
    const sent = delivery('/', '/admin', ...Array.from({ length: request % 5 }, (_, n) => `/${n}`))
    for (let isTaken = false; !isTaken;) {
      isTaken = (await acceptDelivery(sent, context)).taken
      if (isTaken) accepted += sent.events.length
      else refused += 1
      const [count = { kept: {}, dropped: {} }] = context.context.counts.byProject()
      expect(sum(count.kept)).toBe(written.length)
      expect(sum(count.kept) + sum(count.dropped)).toBe(accepted)
      expect(told).toHaveLength(sum(count.dropped))
    }
  }
  expect(refused).toBeGreaterThan(40)
  expect(accepted).toBe(100 * 2 + 20 * (0 + 1 + 2 + 3 + 4))
})

test('what the journal refuses does not count against the month', async () => {
  const { context, written } = await anAcceptContext({ refusesEvery: 2, monthlyEvents: 3 })
  await acceptDelivery(delivery('/1'), context)
  expect(await acceptDelivery(delivery('/2', '/3'), context)).toMatchObject({ taken: false })
  expect(await acceptDelivery(delivery('/2', '/3'), context)).toMatchObject({ taken: true, kept: 2 })
  expect(written).toHaveLength(3)
  // an append of nothing is refused as well: that the month is over is said when it can be counted
  await acceptDelivery(delivery('/4'), context)
  expect(await acceptDelivery(delivery('/4'), context)).toEqual({
    taken: true,
    kept: 0,
    dropped: [{ index: 0, reason: 'over-quota' }],
  })
})

test('deliveries of one request are taken together or not at all, each with a receipt of its own', async () => {
  const { context, written } = await anAcceptContext({ refusesEvery: 2 })
  const deliveries = [
    delivery('/a', '/admin'),
    { events: [view('/b')], envelope: anEnvelope({ projectId: 2 }) },
  ]
  expect(await acceptDeliveries(deliveries, context)).toEqual({
    taken: true,
    receipts: [
      { taken: true, kept: 1, dropped: [{ index: 1, reason: 'shielded-page' }] },
      { taken: true, kept: 1, dropped: [] },
    ],
  })
  expect(await acceptDeliveries(deliveries, context)).toEqual({ taken: false, retryAfterSeconds: 1 })
  expect(written.map(({ projectId }) => projectId)).toEqual([1, 2])
  expect(context.context.counts.byProject().map(({ projectId }) => projectId)).toEqual([1, 2])
})
