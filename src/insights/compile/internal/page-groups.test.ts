import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sql, string } from '#engine/sql'
import { anEngine } from '#test/product/test-engine'
import { runs } from '#test/random/chance'
import { groupedPath } from '../../text/page-groups'
import { grouped } from './page-groups'

const testEngine = anEngine()

const part = fc.constantFrom(
  'boards',
  'a',
  '4856',
  'a.b',
  String.raw`c\d`,
  'ü',
  '(x)',
  '$1',
  '',
  'A',
  ':id',
  '*',
)
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`)
const pattern = fc
  .array(fc.oneof(part, fc.constantFrom(':id', ':part', '*', 'a*')), { minLength: 1, maxLength: 3 })
  .map((parts) => `/${parts.join('/')}`)

test('the engine names every path as memory does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(path, { minLength: 1, maxLength: 20 }),
      fc.array(pattern, { maxLength: 4 }),
      async (paths, groups) => {
        const columns = paths.map((one) => grouped(sql`toLowCardinality(${string(one)})`, groups))
        const [row] = await testEngine
          .engine()
          .query<{ names: string[] }>(sql`select [${sql.join(columns)}] as names`)
        expect(row?.names).toEqual(paths.map((one) => groupedPath(one, groups)))
      },
    ),
    { numRuns: runs(40) },
  )
})
