import { expect, test } from 'vitest'
import { widthsOf } from './QuestionPanels'

test.each([
  ['', ''],
  ['h', 'w'],
  ['h h', 'h h'],
  ['h h h', 'h h w'],
  ['w h h', 'w h h'],
  ['h w h h', 'w w h h'],
  ['h h w h', 'h h w w'],
])('panels %j are drawn %j', (wanted, drawn) => {
  const names = { h: 'half', w: 'wide' } as const
  const read = (letters: string) =>
    letters.split(' ').flatMap((letter) => (letter === 'h' || letter === 'w' ? [names[letter]] : []))
  expect(widthsOf(read(wanted))).toEqual(read(drawn))
})
