import { expect, test } from 'vitest'
import { serializeProps } from './serialize-props'

const place = { name: 'Price', file: 'components/Price.tsx' }
const serialized = (props: Record<string, unknown>) => {
  let ids = 0
  return serializeProps(props, place, () => `s${++ids}`)
}

test('plain values and dates come back as they were', () => {
  const props = { text: 'a', count: 1, none: null, list: [1, { on: true }], at: new Date(0) }
  expect(serialized(props).withSlots(() => null)).toEqual(props)
})

test('elements become slots, at any depth', () => {
  const { json, slots } = serialized({ children: <b>kid</b>, tabs: [{ title: 'A', body: <i>A</i> }] })
  expect(JSON.parse(json)).toEqual({
    children: { $slot: 's1' },
    tabs: [{ title: 'A', body: { $slot: 's2' } }],
  })
  expect(slots.map(({ id }) => id)).toEqual(['s1', 's2'])
})

test.each([
  [{ onPress: () => 1 }, 'a function as the prop “onPress”'],
  [{ rows: [{ by: new Map() }] }, 'a Map as the prop “rows[0].by”'],
  [{ count: Number.NaN }, 'a number (NaN) as the prop “count”'],
])('%j is refused by the name of the component and the prop', (props, words) =>
  expect(() => serialized(props)).toThrow(
    `The client component Price (components/Price.tsx) got ${words.replace(' as the', ' as the')}`,
  ),
)
