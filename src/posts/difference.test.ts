import { expect, onTestFinished, test, vi } from 'vitest'
import { differenceBetween } from './difference'

const told = (before: string, after: string) =>
  differenceBetween(before, after).map(({ state, text, pieces }) =>
    pieces ? [state, text, pieces.map((piece) => [piece.state, piece.text])] : [state, text],
  )

test.each([
  // before, after, what is told
  ['', '', []],
  ['One\n', 'One\n', [['same', 'One\n']]],
  ['', 'One\n', [['added', 'One\n']]],
  ['One\n', '', [['removed', 'One\n']]],
  [
    'One\nTwo\n',
    'One\nTwo\nThree\n',
    [
      ['same', 'One\nTwo\n'],
      ['added', 'Three\n'],
    ],
  ],
  [
    'One\nApples are red.\n',
    'One\nApples are green.\n',
    [
      ['same', 'One\n'],
      [
        'removed',
        'Apples are red.\n',
        [
          ['same', 'Apples are '],
          ['removed', 'red'],
          ['same', '.\n'],
        ],
      ],
      [
        'added',
        'Apples are green.\n',
        [
          ['same', 'Apples are '],
          ['added', 'green'],
          ['same', '.\n'],
        ],
      ],
    ],
  ],
])('from %j to %j', (before, after, difference) => {
  expect(told(before, after)).toEqual(difference)
})

test('of all lines that are not new, the former text is made, and of all that are not gone, the later one', () => {
  const before = '# Title\n\nFirst words\nSecond line\n\nEnd'
  const after = '# Another title\n\nFirst new words\n\nSecond line\nEnd\n'
  const changes = differenceBetween(before, after)
  const without = (gone: string) =>
    changes
      .filter(({ state }) => state !== gone)
      .map(({ text }) => text)
      .join('')

  expect([without('added'), without('removed')]).toEqual([before, after])
  for (const { text, pieces } of changes)
    if (pieces) expect(pieces.map((piece) => piece.text).join('')).toBe(text)
})

test('two megabytes with nothing in common count as replaced after a second', () => {
  const lines = (word: string) => Array.from({ length: 40_000 }, (_, place) => `${word} ${place}`).join('\n')
  let looks = 0
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
    // a comparison that goes on would take minutes
    if (++looks > 2000) throw new Error('It still compares after two seconds.')
    return looks
  })
  onTestFinished(() => clock.mockRestore())

  const changes = differenceBetween(lines('before'), lines('after'))

  expect(changes.map(({ state }) => state)).toEqual(['removed', 'added'])
  expect(looks).toBeGreaterThan(1000)
})
