import { expect, test } from 'vitest'
import type { Properties } from '#events/event'
import { readExport, storedEvent } from '#test/product/import-source-fixture'

const matomoVisit: Properties = {
  idSite: '1',
  idVisit: '42',
  visitorId: '0123456789abcdef',
  serverTimestamp: 1714817472,
  referrerUrl: 'https://duckduckgo.com/',
  deviceType: 'Smartphone',
  browserName: 'Chrome Mobile',
  operatingSystemName: 'Android',
  operatingSystemVersion: '14',
  countryCode: 'de',
  city: 'Berlin',
  resolution: '412x915',
  languageCode: 'de-de',
  actionDetails: [
    { type: 'action', url: 'https://acme.example/', pageTitle: 'Acme', timestamp: 1714817472, pageId: 1 },
    {
      type: 'event',
      url: 'https://acme.example/',
      eventCategory: 'shop',
      eventAction: 'order',
      eventValue: 3,
      timestamp: 1714817480,
      pageId: 2,
    },
    { type: 'form', timestamp: 1714817490 },
    { type: 'goal', goalName: null, goalId: null, revenue: '0', timestamp: 1714817491 },
  ],
}

test('matomo: each action of a visit is an event, and what has no counterpart is counted', async () => {
  const { rows, events, dropped } = await readExport('matomo', JSON.stringify([matomoVisit]))
  expect({ rows, names: events.map(({ name }) => name), dropped }).toEqual({
    rows: 4,
    names: ['$pageview', 'order'],
    dropped: { "an action of Matomo's type form": 1, 'a goal that was deleted in Matomo': 1 },
  })
  expect(new Set(events.map(({ properties }) => properties['$session_id'])).size).toBe(1)
  expect(await storedEvent('matomo', JSON.stringify([matomoVisit]))).toMatchObject({
    at: new Date('2024-05-04T10:11:12Z'),
    distinctId: '0123456789abcdef',
    columns: {
      path: '/',
      title: 'Acme',
      referrer_host: 'duckduckgo.com',
      device: 'Mobile',
      os: 'Android',
      country: 'DE',
    },
  })
})

test('matomo: a visit that went on after it was exported brings its further actions only', async () => {
  const first = await readExport(
    'matomo',
    JSON.stringify([{ ...matomoVisit, actionDetails: [matomoVisit['actionDetails']].flat().slice(0, 1) }]),
  )
  const later = await readExport('matomo', JSON.stringify([{ ...matomoVisit, visitDuration: 99 }]))
  expect(first.events[0]?.uuid).toBe(later.events[0]?.uuid)
})
