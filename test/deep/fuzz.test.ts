import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config'
import { openFront } from '#server/internal/front'
import { openLog } from '#server/log'
import { createDialects } from '#wire/dialects'
import { faultIn, Fuzzer } from './fuzz/fuzzer'
import { pagePaths, pageRequest } from './fuzz/pages'
import { Random } from './fuzz/random'
import { recordedRequests } from './fuzz/requests'
import { aFlag } from '../random/random-flags'
import { someWireServices, key, secretKey } from '../wire/posthog-fixture'

const keys = { writeKey: key, secret: secretKey }

test('2,000 mutated requests of every client get an answer that is no failure of ours', async () => {
  const reading = readConfig({ PORT: '0' })
  if (!reading.readable) throw new Error(reading.problems.join(' '))
  const front = await openFront({
    config: reading.config,
    log: openLog({ level: 'silent', format: 'json' }),
    dialects: createDialects(`${import.meta.dirname}/../../dist/tracker`),
  })
  front.use({
    wire: await someWireServices({}, [aFlag({ key: 'a' }), aFlag({ key: 'b' })]),
    disk: async () => ({ freeBytes: 1, usedBytes: 0, trouble: undefined }),
  })
  onTestFinished(() => front.drain())
  const recorded = recordedRequests(`${import.meta.dirname}/../..`, keys)
  expect(recorded.length).toBeGreaterThan(300)
  const fuzzer = new Fuzzer({ port: front.port, project: 'acme', keys, recorded, operations: [] }, 20261122)
  for (let sent = 0; sent < 2000; sent++) await fuzzer.sendOne()
  fuzzer.close()
  expect(fuzzer.faults).toEqual([])
  // most get through to a dialect: a fuzzer that is turned away at the door finds nothing
  expect(fuzzer.statuses.get(200) ?? 0).toBeGreaterThan(500)
})

test.each([
  [500, {}, '', 'answered 500'],
  [503, {}, '', 'answered 503'],
  [503, { 'retry-after': '1' }, '', undefined],
  [200, { 'content-type': 'application/json' }, '{', 'says it is JSON, and is not'],
  [200, { 'content-type': 'application/json' }, '{}', undefined],
])('an answer %i with %o and the body "%s" is judged', (status, headers, body, fault) => {
  expect(faultIn({ method: 'GET' }, { status, headers, body })).toBe(fault)
})

describe('requests for pages', () => {
  const paths = pagePaths(`${import.meta.dirname}/../..`)
  const actions = [{ id: '40ab', name: 'saveFlag' }]
  const random = new Random(7)
  const requests = Array.from({ length: 2000 }, () =>
    pageRequest({ paths, actions, cookie: 'sid=1', origin: 'http://tilth.example' }, 'acme', random),
  )

  test('go to every page by the address that people see', () => {
    expect(paths).toEqual(expect.arrayContaining(['/', '/studio/sign-in', '/studio/[project]/flags']))
    expect(paths.filter((path) => /[()%]|\/page$/.test(path))).toEqual([])
    expect(new Set(requests.map(({ target }) => target.split('?')[0])).size).toBeGreaterThan(paths.length)
    expect(requests.some(({ target }) => target.startsWith('/studio/acme/flags'))).toBe(true)
    expect(requests.filter(({ target }) => /[[\]]/.test(target))).toEqual([])
  })

  test('are read and sent, as a member and as no one, by a script and without one', () => {
    const kinds = requests.map(({ method, headers }) =>
      [method, 'cookie' in headers, 'next-action' in headers].join(' '),
    )
    expect([...new Set(kinds)].toSorted()).toEqual([
      'GET false false',
      'GET true false',
      'POST false false',
      'POST false true',
      'POST true false',
      'POST true true',
    ])
  })
})
