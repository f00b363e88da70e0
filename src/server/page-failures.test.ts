import { expect, test } from 'vitest'
import { engineError } from '#engine/failures'
import { StoreBusy } from '#store/store'
import { PageFailures } from './page-failures'

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute))

test('a failure of the engine is found by its digest, with the time since when it has been seen', () => {
  const failures = new PageFailures()
  failures.note('7', engineError('corrupted'), at(0))
  failures.note('7', engineError('corrupted'), at(8))
  failures.note('7', engineError('corrupted'), at(16))

  expect(failures.find('7')).toMatchObject({
    engine: 'corrupted',
    since: at(0),
    message: expect.stringContaining('damaged'),
  })
})

test('the same failure after a quiet time is a new one', () => {
  const failures = new PageFailures()
  failures.note('7', new StoreBusy(), at(0))
  failures.note('7', new StoreBusy(), at(30))

  expect(failures.find('7')).toMatchObject({ engine: undefined, since: at(30) })
})

test('what any other exception says is for the log alone', () => {
  const failures = new PageFailures()
  failures.note('7', new Error('password=secret'), at(0))

  expect(failures.find('7')).toBeUndefined()
})

test('only the last two hundred are kept', () => {
  const failures = new PageFailures()
  for (let each = 0; each <= 200; each++) failures.note(String(each), engineError('failed'), at(0))

  expect(failures.find('0')).toBeUndefined()
  expect(failures.find('200')).toBeDefined()
})
