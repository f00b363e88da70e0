import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  placementAtEnd,
  columns,
  moveCard,
  type PositionedCard,
  resizeCard,
  stepCard,
  tidyCards,
} from './grid'

/** Drawn as people see it: a row of the grid is a line, a column a letter. */
const drawn = (cards: readonly PositionedCard[]): string[] => {
  const lines: string[] = []
  const height = Math.max(0, ...cards.map(({ place }) => place.y + place.h))
  for (let y = 0; y < height; y++)
    lines.push(
      Array.from({ length: columns }, (_, x) => at(cards, x, y))
        .join('')
        .trimEnd(),
    )
  return lines
}

const at = (cards: readonly PositionedCard[], x: number, y: number): string =>
  cards.find(({ place }) => x >= place.x && x < place.x + place.w && y >= place.y && y < place.y + place.h)
    ?.id ?? '.'

/** The other way around: letters in a drawing become cards. */
function fromDrawing(lines: readonly string[]): PositionedCard[] {
  const names = [...new Set(lines.join('').replaceAll('.', ''))]
  return names.map((id) => {
    const y = lines.findIndex((line) => line.includes(id))
    const line = lines[y] ?? ''
    const h = lines.filter((one) => one.includes(id)).length
    return { id, place: { x: line.indexOf(id), y, w: line.lastIndexOf(id) - line.indexOf(id) + 1, h } }
  })
}

const twoAndOne = ['aaaaaabbbbbb', 'aaaaaabbbbbb', 'cccccccccccc', 'cccccccccccc']

describe('a card', () => {
  test.each([
    [
      'goes down past the one below',
      (cards: PositionedCard[]) => stepCard(cards, 'a', 'down'),
      ['......bbbbbb', '......bbbbbb', 'cccccccccccc', 'cccccccccccc', 'aaaaaa......', 'aaaaaa......'],
    ],
    [
      'goes up past the one above',
      (cards: PositionedCard[]) => stepCard(cards, 'c', 'up'),
      ['cccccccccccc', 'cccccccccccc', 'aaaaaabbbbbb', 'aaaaaabbbbbb'],
    ],
    ['goes no further than the edge', (cards: PositionedCard[]) => stepCard(cards, 'b', 'right'), twoAndOne],
    [
      'that grows pushes the others down',
      (cards: PositionedCard[]) => resizeCard(cards, 'a', { h: 1 }),
      ['aaaaaabbbbbb', 'aaaaaabbbbbb', 'aaaaaa......', 'cccccccccccc', 'cccccccccccc'],
    ],
    [
      'that grows over its neighbour sends it below',
      (cards: PositionedCard[]) => resizeCard(cards, 'a', { w: 2 }),
      ['aaaaaaaa....', 'aaaaaaaa....', '......bbbbbb', '......bbbbbb', 'cccccccccccc', 'cccccccccccc'],
    ],
    [
      'is never smaller than can be read',
      (cards: PositionedCard[]) => resizeCard(cards, 'b', { w: -9, h: -9 }),
      ['aaaaaabb....', 'aaaaaabb....', 'cccccccccccc', 'cccccccccccc'],
    ],
    [
      'that is not there changes nothing',
      (cards: PositionedCard[]) => moveCard(cards, 'z', { x: 1 }),
      twoAndOne,
    ],
  ])('%s', (_, change, expected) => {
    expect(drawn(change(fromDrawing(twoAndOne)))).toEqual(expected.map((line) => line.replace(/ +$/, '')))
  })
})

test('a new card stands beside the last one where there is room, and below all others where there is none', () => {
  expect(placementAtEnd(fromDrawing(twoAndOne))).toMatchObject({ x: 0, y: 4 })
  const half = { id: 'a', place: { x: 0, y: 0, w: 6, h: 5 } }
  expect(placementAtEnd([half])).toEqual({ x: 6, y: 0, w: 6, h: 5 })
  expect(placementAtEnd([half], { w: 7, h: 5 })).toMatchObject({ x: 0, y: 5 })
  const tall = { id: 'b', place: { x: 6, y: 0, w: 6, h: 9 } }
  const under = { id: 'c', place: { x: 0, y: 5, w: 6, h: 4 } }
  expect(placementAtEnd([half, tall, under])).toMatchObject({ x: 0, y: 9 })
  expect(placementAtEnd([])).toMatchObject({ x: 0, y: 0 })
})

const someCards = fc
  .array(
    fc.record({
      w: fc.integer({ min: 2, max: 12 }),
      h: fc.integer({ min: 2, max: 6 }),
      x: fc.nat(10),
      y: fc.nat(12),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((places) =>
    places.map(({ w, h, x, y }, i) => ({ id: String(i), place: { x: Math.min(x, columns - w), y, w, h } })),
  )

const directions = fc.constantFrom('left', 'right', 'up', 'down')

test('however cards are moved, each keeps its size, none lies on another, and none leaves the grid', () => {
  fc.assert(
    fc.property(someCards, fc.array(fc.tuple(fc.nat(7), directions), { maxLength: 6 }), (cards, steps) => {
      let now: PositionedCard[] = tidyCards(cards)
      for (const [who, direction] of steps) now = stepCard(now, String(who), direction)
      expect(now.map(sizeOf).toSorted()).toEqual(cards.map(sizeOf).toSorted())
      const cells = now.flatMap(({ place }) => cellsOf(place))
      expect(new Set(cells).size).toBe(cells.length)
      for (const { place } of now) {
        expect(place.x).toBeGreaterThanOrEqual(0)
        expect(place.x + place.w).toBeLessThanOrEqual(columns)
        expect(place.y).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})

const sizeOf = ({ id, place: { w, h } }: PositionedCard) => `${id} ${w}×${h}`

const cellsOf = ({ x, y, w, h }: PositionedCard['place']): string[] =>
  Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`)
