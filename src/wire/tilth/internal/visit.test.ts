import { expect, test } from 'vitest'
import { aFlag } from '#test/random/random-flags'
import { answerTo, recordingWireServices } from '#test/wire/trackers-fixture'
import type { WireResponse } from '../../dialect'

const headers = { 'user-agent': 'node', authorization: 'Bearer secret-1' }
const sender = { address: '198.51.100.23', userAgent: 'Mozilla/5.0', language: 'de', optedOut: false }
const asked = { key: 'key-1', url: 'https://shop.example/a', visitor: 'ana', visitors: 'cookie', sender }

const flags = [
  aFlag({ key: 'cta', payloads: { true: '{"x":1}' } }),
  aFlag({ key: 'ours', servedTo: 'servers' }),
  aFlag({ key: 'theirs', servedTo: 'browsers' }),
  aFlag({ key: 'secret', kind: 'config', isSecret: true, payloads: { true: '"s3cr3t"' } }),
]
const services = () => recordingWireServices([{}, {}], flags)
const parsed = ({ body }: WireResponse): unknown => JSON.parse(String(body))

test('a server gets every decision for its visitor, and learns which are not for browsers', async () => {
  const wire = services()
  const answer = await answerTo({ path: '/_tilth/visit', headers, body: asked }, wire)
  expect([answer.status, parsed(answer)]).toEqual([
    200,
    {
      visitor: 'ana',
      isNew: false,
      isCrawler: false,
      isPreview: false,
      exposureSeed: 'seed',
      flags: { cta: true, ours: true, theirs: true },
      payloads: { cta: { x: 1 } },
      undecided: [],
      serverOnly: ['ours'],
    },
  ])
  expect(wire.remoteVisits).toMatchObject([
    {
      environment: 'production',
      visitor: 'ana',
      mayIdentify: true,
      host: 'shop.example',
      envelope: {
        projectId: 1,
        address: '198.51.100.23',
        userAgent: 'Mozilla/5.0',
        language: 'de',
        optedOut: false,
        fromServer: false,
      },
    },
  ])
})

test.each([
  // the problem with the request
  ['no secret key', { headers: { authorization: '' } }, 401],
  ['a write key in its place', { headers: { authorization: 'Bearer key-1' } }, 401],
  ['keys of two projects', { body: { ...asked, key: 'key-2' } }, 403],
  ['no visitor described', { body: { ...asked, sender: undefined } }, 400],
  ['no JSON', { body: '{' }, 400],
])('%s is refused, and nothing is decided', async (_wrong, sent, status) => {
  const wire = services()
  const answer = await answerTo({ path: '/_tilth/visit', headers, body: asked, ...sent }, wire)
  expect(answer.status).toBe(status)
  expect(wire.remoteVisits).toEqual([])
})

test('an opt-out is passed on, and what is no address is none', async () => {
  const wire = services()
  const body = { ...asked, sender: { ...sender, address: 'unknown', optedOut: true } }
  await answerTo({ path: '/_tilth/visit', headers, body }, wire)
  expect(wire.remoteVisits).toMatchObject([{ envelope: { optedOut: true, address: '' } }])
})

const message = {
  key: 'key-1',
  url: 'https://shop.example/a',
  distinctId: 'ana',
  events: [{ name: '$pageview' }],
}

test('events of a server count as those of the visitor it describes', async () => {
  const wire = services()
  const answer = await answerTo({ path: '/_tilth/event', headers, body: { ...message, sender } }, wire)
  expect(answer.status).toBe(200)
  expect(wire.accepted).toMatchObject([
    {
      events: [{ name: '$pageview', distinctId: 'ana' }],
      envelope: { address: '198.51.100.23', userAgent: 'Mozilla/5.0', fromServer: false },
    },
  ])
})

test('only a secret key may describe another sender', async () => {
  const wire = services()
  const sent = { path: '/_tilth/event', headers: {}, body: { ...message, sender } }
  expect((await answerTo(sent, wire)).status).toBe(401)
  expect(wire.accepted).toEqual([])
})

test('who names a person says which visitor that was', async () => {
  const wire = services()
  const events = [{ name: '$identify' }, { name: 'signup' }]
  await answerTo({ path: '/_tilth/event', body: { ...message, anonymousId: 'v1', events } }, wire)
  await answerTo({ path: '/_tilth/event', body: { ...message, anonymousId: 'ana', events } }, wire)
  expect(wire.events().map(({ identity }) => identity)).toEqual([
    { kind: 'identify', anonymous: 'v1' },
    undefined,
    undefined,
    undefined,
  ])
})
