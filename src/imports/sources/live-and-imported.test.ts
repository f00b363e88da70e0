import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Envelope, IncomingEvent, PreparedEvent, Properties } from '#events/event'
import { anEnvelope, anIngestContext } from '#test/product/ingest-fixture'
import { readExport } from '#test/product/import-source-fixture'
import { recordingNames, recordingsOf, replay, someWireServices } from '#test/wire/posthog-fixture'
import { type Exported, vendorCases } from '#test/wire/exported-cases'
import { recordingWireServices, type SentTrackerRequest, websiteId } from '#test/wire/trackers-fixture'
import { replayRecording } from '#test/wire/vendor-recordings'
import { prepare } from '#ingest/prepare'
import { cookieless } from '#wire/posthog/events'
import { incomingEventOf } from '../internal/imported-event'
import type { ImportSourceName } from './sources'

const ingest = await anIngestContext()

/** The columns that a sender fills by naming them; the others are of the device, the place and the source of the visitor. */
const namedColumns = [
  'title',
  'path',
  'utm_source',
  'utm_medium',
  'revenue',
  'currency',
  'engaged_ms',
  'scroll_depth',
  'screen',
  'language',
  'lib',
] as const

/** An event as filters, funnels and breakdowns know it. */
interface KnownBy {
  name: string
  keys: string[]
}

function knownBy({ name, properties, columns }: PreparedEvent): KnownBy {
  const filled = namedColumns.filter((column) => ![undefined, '', 0].includes(columns[column]))
  const keys = Object.keys(properties).filter((key) => key !== '$import')
  return { name, keys: [...filled, ...keys].toSorted() }
}

/** An event after all steps of ingest, unless they drop it. */
function stored(event: IncomingEvent, envelope: Envelope): KnownBy[] {
  const prepared = prepare(event, envelope, ingest)
  return prepared.kept ? [knownBy(prepared.event)] : []
}

/** Events that clients send now. */
async function live(requests: readonly SentTrackerRequest[]): Promise<KnownBy[]> {
  const services = recordingWireServices([{ names: ['7', 'example.com', websiteId, 'G-ABC123'] }])
  const arriving = requests.map((sent) => ({ ...sent, receivedAt: new Date('2026-11-30T00:00:00Z') }))
  const answers = await replayRecording(arriving, services)
  expect(answers.filter(({ status }) => status >= 400)).toEqual([])
  return services.accepted.flatMap(({ events, envelope }) =>
    events.flatMap((event) => stored(event, envelope)),
  )
}

/** Events that an import brings of the same. */
async function imported(source: ImportSourceName, files: Exported): Promise<KnownBy[]> {
  const envelope = anEnvelope({
    fromServer: true,
    isHistorical: true,
    importId: 'an import',
    dialect: source,
  })
  const { events, dropped } = await readExport(source, ...files)
  expect(dropped).toEqual({})
  return events.flatMap((event) => stored(incomingEventOf(event), envelope))
}

test.each(vendorCases)(
  '$source: what is imported has the names and the property keys of what its client sends',
  async ({ source, sent, exported, isElsewhere = () => false, notExported = [], onlyExported = [] }) => {
    const now = (await live(sent)).filter((event) => !isElsewhere(event))
    const then = await imported(source, exported)
    const without = (keys: readonly string[]) => (event: KnownBy) => ({
      ...event,
      keys: event.keys.filter((key) => !keys.includes(key)),
    })
    expect(now.length).toBeGreaterThan(2)
    expect(then.map(without(onlyExported))).toEqual(now.map(without(notExported)))
  },
)

const sentByPosthog = z.looseObject({ event: z.string(), properties: z.record(z.string(), z.json()) })
const posthogBody = z.union([
  z.looseObject({ batch: z.array(sentByPosthog) }).transform(({ batch }) => batch),
  z.array(sentByPosthog),
])

/** PostHog's servers replace the mark of a visitor without an id. */
const visitorOf = (id: unknown): string => (id === cookieless ? 'cookieless_1' : String(id))

/** Recordings of all that PostHog's web client captures. */
const posthogRecordings = recordingNames.filter((name) => /^posthog-js-\d\d-/.test(name))

test('posthog: what is imported has the names and the property keys of what its client sends', async () => {
  const recordings = posthogRecordings
    .flatMap((name) => recordingsOf(name))
    .filter(({ path }) => path.startsWith('/i/v0/e'))
  const services = await someWireServices()
  for (const recording of recordings) await replay(recording, services)
  const rows = recordings
    .flatMap(({ body }) => posthogBody.safeParse(body).data ?? [])
    .map(({ properties, ...event }) => ({
      ...event,
      distinct_id: visitorOf(properties['distinct_id'] ?? event['distinct_id']),
      timestamp: '2024-05-04 10:11:12.000000+00:00',
      properties: JSON.stringify({
        ...properties,
        $ip: '203.0.113.7',
        $geoip_country_code: 'DE',
        $geoip_latitude: 52.5,
        $geoip_time_zone: 'Europe/Berlin',
      }),
    }))
  expect(rows.length).toBeGreaterThan(10)
  const then = new Set((await imported('posthog', [rows as Properties[]])).map((one) => JSON.stringify(one)))
  const now = new Set(services.stored.map((event) => JSON.stringify(knownBy(event))))
  expect([...then].toSorted()).toEqual([...now].toSorted())
})
