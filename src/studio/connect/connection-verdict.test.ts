import { describe, expect, test } from 'vitest'
import { dropReasons, type DropReason } from '#events/event'
import type { RefusedLiveRequest } from '#events/live-event'
import { dropped, refused, stored } from '#studio/live/live-events-for-tests'
import { likelyCauses } from './likely-causes'
import { testEvent } from '#studio/live/live-event-labels'
import { outcomeOf } from './test-event'
import { hasStored, connectionVerdict } from './connection-verdict'

const project = { key: 'phc_right', hosts: ['shop.example.com'] }

test('nothing has come: it is waited', () => {
  expect(connectionVerdict([], project)).toEqual({ is: 'waiting' })
})

test('one event of the site settles it, whatever else went wrong', () => {
  const event = stored({ name: '$pageview' })
  expect(connectionVerdict([event, dropped({ reason: 'bot' })], project)).toEqual({ is: 'arrived', event })
})

test('a test event from the studio says nothing about the site', () => {
  const event = stored({ name: testEvent, uuid: 'a-test' })
  expect(connectionVerdict([event], project)).toEqual({ is: 'waiting' })
  expect(hasStored([event], 'a-test')).toBe(true)
  expect(hasStored([event], 'another')).toBe(false)
})

describe('trouble', () => {
  test.each(Object.entries(dropReasons))('%s is told as: %s', (reason, label) => {
    // the keys of this table are its type
    const verdict = connectionVerdict([dropped({ reason: reason as DropReason })], project)
    expect(verdict).toMatchObject({ is: 'troubled', troubles: [{ title: `Dropped: ${label}`, count: 1 }] })
  })

  test.each<[Partial<RefusedLiveRequest>, title: RegExp, remedy: RegExp]>([
    [{ reason: 'unknown-key', named: 'phc_wrong' }, /“phc_wrong”/, /Use phc_right/],
    [{ reason: 'unknown-key', named: 'www.example.com' }, /“www.example.com”/, /to the tag: phc_right/],
    [{ reason: 'no-key' }, /no project key/, /phc_right/],
    [{ reason: 'unreadable' }, /could not be read/, /./],
    [{ reason: 'too-large' }, /too large/, /fewer events/],
    [{ reason: 'mixed-keys' }, /several projects/, /./],
    [{ reason: 'something-new' }, /something-new/, /snippets/],
  ])('%j is told with what to do', (liveEvent, title, remedy) => {
    expect(connectionVerdict([refused(liveEvent)], project)).toMatchObject({
      troubles: [{ title: expect.stringMatching(title), remedy: expect.stringMatching(remedy) }],
    })
  })

  test('of a foreign page is told with the hosts that would have been right', () => {
    expect(connectionVerdict([dropped({ reason: 'shielded-host' })], project)).toMatchObject({
      troubles: [{ remedy: expect.stringContaining('shop.example.com') }],
    })
  })

  test('is told once, with how often it came; the last to come stands first', () => {
    const bot = (at: string) => dropped({ reason: 'bot', at })
    const verdict = connectionVerdict(
      [bot('2026-11-21T10:00:00Z'), refused({ reason: 'no-key' }), bot('2026-11-21T10:00:09Z')],
      project,
    )
    expect(verdict).toMatchObject({
      troubles: [
        { title: 'Dropped: a bot', count: 2, lastAt: '2026-11-21T10:00:09Z' },
        { title: expect.stringMatching(/^Refused/), count: 1 },
      ],
    })
  })
})

describe('what to look at when nothing comes', () => {
  const titles = (address: string) => likelyCauses(address).map(({ title }) => title)

  test('the policy to add names this installation', () => {
    const codes = likelyCauses('https://tilth.example.com').flatMap(({ code = [] }) => code)
    expect(codes).toEqual(['script-src https://tilth.example.com; connect-src https://tilth.example.com'])
  })

  test.each([
    ['https://tilth.example.com', false, false],
    ['http://tilth.example.com', true, false],
    ['http://localhost:3000', true, true],
    ['http://127.0.0.1:3000', true, true],
    ['http://[::1]:3000', true, true],
  ])('%s: mixed content %j, only from this machine %j', (address, mixed, own) => {
    expect(titles(address).includes('The site uses https and this address does not')).toBe(mixed)
    expect(titles(address).includes('This address only works on this machine')).toBe(own)
  })
})

test.each([
  [200, null, '{"kept":1}', { is: 'taken', uuid: 'u' }],
  [200, 'bot', '{"kept":0}', { is: 'dropped' }],
  [503, null, '{"error":"Send this again."}', { is: 'refused', status: 503, says: 'Send this again.' }],
  [502, null, '<html>Bad gateway</html>', { is: 'refused', status: 502, says: '' }],
  [500, null, 'null', { is: 'refused', status: 500, says: '' }],
])('a test event answered with %i, dropped for %j, saying %j', (status, reason, text, outcome) =>
  expect(outcomeOf(status, reason, text, 'u')).toEqual(outcome),
)
