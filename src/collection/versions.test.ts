import { expect, test } from 'vitest'
import { earlierVersion, isSameBut, refuseOutdated } from './versions'

const stored = { name: 'Checkout', field: 'version', current: 3 }
const at = new Date('2026-03-02T10:05:00.000Z')

test('a change of an older state is refused with who made the current one, and when', async () => {
  const latest = () => ({ by: 'Ana', at })
  expect(await refuseOutdated({ ...stored, basis: 2, latest })).toEqual({
    done: false,
    changedBy: 'Ana',
    problems: [
      {
        field: 'version',
        message:
          '“Checkout” was changed by Ana at 10:05 UTC on 2026-03-02. Load it again, then repeat your change.',
      },
    ],
  })
  expect(
    await refuseOutdated({ ...stored, basis: 2, latest: async () => ({ by: undefined, at }) }),
  ).toMatchObject({ problems: [{ message: expect.stringMatching(/^“Checkout” was changed at 10:05 UTC/) }] })
})

test('a change of the current state is not refused, nor one that names no state, and no one looks up its author', async () => {
  const latest = () => {
    throw new Error('It is not read.')
  }
  expect(await refuseOutdated({ ...stored, basis: 3, latest })).toBeUndefined()
  expect(await refuseOutdated({ ...stored, basis: undefined, latest })).toBeUndefined()
})

test('an earlier version comes back under a note, if there is one', () => {
  const first = { version: 1, name: 'One' }
  expect(earlierVersion([first], 1, 'flag')).toEqual({ done: true, found: first, note: 'Back to version 1.' })
  expect(earlierVersion([first], 2, 'flag')).toMatchObject({
    problems: [{ field: 'version', message: 'There is no version 2 of this flag.' }],
  })
})

test('states are compared without the fields that every change updates, and without the order of keys', () => {
  const one = { version: 1, changedAt: at, name: 'A', look: { a: 1, b: [1, 2] } }
  const other = { look: { b: [1, 2], a: 1 }, name: 'A', changedAt: new Date(0), version: 2 }
  expect(isSameBut(['version', 'changedAt'], one, other)).toBe(true)
  expect(isSameBut(['version'], one, other)).toBe(false)
  expect(isSameBut(['version', 'changedAt'], one, { ...other, look: { a: 1, b: [2, 1] } })).toBe(false)
})
