import { describe, expect, test } from 'vitest'
import type { Envelope, IncomingEvent } from '#events/event'
import { anIngestContext, anEnvelope, anEvent, expectKept, noon } from '#test/product/ingest-fixture'

const minute = 60_000
const from = (time: string, ms: number): Date => new Date(Date.parse(time) + ms)

async function heldAt(event: Partial<IncomingEvent>, envelope: Partial<Envelope> = {}): Promise<string> {
  return expectKept(anEvent(event), anEnvelope(envelope), await anIngestContext()).at.toISOString()
}

describe('C13: when it happened', () => {
  test.each([
    // an event's own words, how it came, and when it happened by our clock
    ['nothing said', {}, {}, noon],
    ['its time', { timestamp: from(noon, -5 * minute) }, {}, '2026-03-02T11:55:00.000Z'],
    [
      'a clock two hours slow',
      { timestamp: from(noon, -121 * minute) },
      { sentAt: from(noon, -120 * minute) },
      '2026-03-02T11:59:00.000Z',
    ],
    [
      'a clock set to 1970',
      { timestamp: new Date(1000) },
      { sentAt: new Date(4000) },
      '2026-03-02T11:59:57.000Z',
    ],
    ['its age', { ageMs: minute }, {}, '2026-03-02T11:59:00.000Z'],
    [
      'no correction wanted',
      { timestamp: from(noon, -121 * minute), properties: { $ignore_sent_at: true } },
      { sentAt: from(noon, -120 * minute) },
      '2026-03-02T09:59:00.000Z',
    ],
    ['22 hours ahead', { timestamp: from(noon, 22 * 60 * minute) }, {}, '2026-03-03T10:00:00.000Z'],
    ['a day ahead', { timestamp: from(noon, 24 * 60 * minute) }, {}, noon],
    ['the year 2999', { timestamp: new Date('2999-01-01') }, {}, noon],
    ['the year 1', { timestamp: new Date('0001-01-01T00:00:00Z') }, {}, noon],
    ['no date at all', { timestamp: new Date(Number.NaN) }, {}, noon],
    [
      'a sending time that is nonsense',
      { timestamp: from(noon, -minute) },
      { sentAt: new Date('2999-01-01') },
      '2026-03-02T11:59:00.000Z',
    ],
    ['five years ago', { timestamp: new Date('2021-03-02T12:00:00Z') }, {}, '2021-03-02T12:00:00.000Z'],
    [
      'before anybody measured',
      { timestamp: new Date('1999-03-02T12:00:00Z') },
      { isHistorical: true },
      noon,
    ],
    [
      'long ago, brought along',
      { timestamp: new Date('2003-03-02T12:00:00Z') },
      { isHistorical: true },
      '2003-03-02T12:00:00.000Z',
    ],
    ['long ago, said to be now', { timestamp: new Date('2003-03-02T12:00:00Z') }, {}, noon],
    ['an endless age', { ageMs: Number.POSITIVE_INFINITY }, {}, noon],
  ])('%s', async (_name, event, envelope, at) => expect(await heldAt(event, envelope)).toBe(at))

  test('a time that is not believed stays to be read', async () => {
    const { properties } = expectKept(
      anEvent({ timestamp: new Date('2999-01-01') }),
      anEnvelope(),
      await anIngestContext(),
    )
    expect(properties['$claimed_time']).toBe('2999-01-01T00:00:00.000Z')
  })

  test('whatever clients claim, there are less than 400 months', async () => {
    const context = await anIngestContext()
    const months = new Set<string>()
    for (let month = 0; month < 12 * 230; month++) {
      const timestamp = new Date(Date.UTC(1900, month, 15))
      for (const isHistorical of [true, false])
        months.add(
          expectKept(anEvent({ timestamp }), anEnvelope({ isHistorical }), context)
            .at.toISOString()
            .slice(0, 7),
        )
    }
    expect(months.size).toBeGreaterThan(200)
    expect(months.size).toBeLessThan(400)
  })
})
