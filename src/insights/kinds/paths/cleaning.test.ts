import { expect, test } from 'vitest'
import { anEngine } from '#test/product/test-engine'
import { sql, string, strings } from '#engine/sql'
import { cleaned, cleanedAddress, fits } from './cleaning'

const testEngine = anEngine()

const addresses: [sent: string, shown: string][] = [
  ['/', '/'],
  ['', '/'],
  ['/Pricing', '/pricing'],
  ['/pricing/', '/pricing'],
  ['//pricing///plans//', '/pricing/plans'],
  ['/users/42', '/users/:id'],
  ['/users/42/orders/1001/', '/users/:id/orders/:id'],
  ['/1/2/3', '/:id/:id/:id'],
  ['/42-shoes', '/42-shoes'],
  ['/files/7D444840-9DC0-11D1-B245-5FFDCE74FAD2/edit', '/files/:uuid/edit'],
  ['/commit/da39a3ee5e6b4b0d3255bfef95601890afd80709', '/commit/:hash'],
  ['/invite/k3jx92lqpa7c0zzm4t8w1yrb', '/invite/:token'],
  ['/internationalization', '/internationalization'],
  ['/blog/2026-03-02/notes', '/blog/:date/notes'],
  ['/blog/2026/03/02/notes', '/blog/:date/notes'],
  ['/archive/2026-03', '/archive/:date'],
  ['/unsubscribe/ana@example.com', '/unsubscribe/:email'],
  ['/Straße/ÄPFEL', '/straße/äpfel'],
  ['no/slash/12', '/no/slash/:id'],
  ['/users/:id', '/users/:id'],
  ['/a\nb/', '/a\nb'],
]

test.each(addresses)('%j is shown as %j', (sent, shown) => {
  expect(cleanedAddress(sent)).toBe(shown)
})

test('the engine cleans as JavaScript does', async () => {
  const rows = await testEngine.engine().query<{ shown: string }>(sql`
    select ${cleaned(sql`address`)} as shown
    from (select arrayJoin(${strings(addresses.map(([sent]) => sent))}) as address)`)
  expect(rows.map(({ shown }) => shown)).toEqual(addresses.map(([, shown]) => shown))
})

test.each([
  ['/blog/a', '/blog/*', 1],
  ['/blog/a/b', '/blog/*', 1],
  ['/Blog/', '/blog/*', 1],
  ['/blog', '/blog/*', 0],
  ['/a/blog/b', '/blog/*', 0],
  ['/100%', '/100%', 1],
  ['/1000', '/100%', 0],
  ['/a_b', '/a_b', 1],
  ['/axb', '/a_b', 0],
  ['/a\\b', '/a\\*', 1],
])('%s fits %s: %i', async (name, pattern, expected) => {
  const [row] = await testEngine
    .engine()
    .query<{ fitting: number }>(sql`select toUInt8(${fits(string(name), pattern)}) as fitting`)
  expect(row?.fitting).toBe(expected)
})
