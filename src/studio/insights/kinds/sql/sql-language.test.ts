import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sqlOver, tokensIn } from './sql-language'

const kinds = (text: string) =>
  tokensIn(text)
    .filter((token) => token.text.trim() !== '')
    .map(({ kind, text: written }) => `${kind} ${written.trim()}`)

test.each([
  [
    'select count() from events',
    ['keyword select', 'function count', 'plain ()', 'keyword from', 'plain events'],
  ],
  ["where event = 'it''s' -- why", ['keyword where', 'plain event =', "string 'it''s'", 'comment -- why']],
  [
    'timestamp >= {{from}} limit 1.5e3',
    ['plain timestamp >=', 'parameter {{from}}', 'keyword limit', 'number 1.5e3'],
  ],
  ["properties['plan'", ['plain properties[', "string 'plan'"]],
  ["'not closed", ["string 'not closed"]],
  ['/* not closed', ['comment /* not closed']],
  ['`a b`.c2', ['string `a b`', 'plain .c2']],
])('%s is coloured', (text, expected) => expect(kinds(text)).toEqual(expected))

test('no character of a text is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."a1 '`-/*{}\\\n(select.".split(''), '"') }), (text) => {
      expect(
        tokensIn(text)
          .map((token) => token.text)
          .join(''),
      ).toBe(text)
    }),
  )
})

const tables = [
  {
    name: 'events',
    columns: [
      { name: 'event', type: 'String' },
      { name: 'person_id', type: 'UUID' },
    ],
  },
  {
    name: 'persons',
    columns: [
      { name: 'person_id', type: 'UUID' },
      { name: 'plan', type: 'String' },
    ],
  },
]
const language = sqlOver(tables)

/** The caret is where the stroke is. */
const offeredAt = (drawn: string) => {
  const completion = language.completionAt?.(drawn.replace('|', ''), drawn.indexOf('|'))
  return completion?.suggestions.map(({ text }) => text)
}

test.each([
  ['select ev| from events', ['event', 'events']],
  ['select p|', ['person_id', 'plan', 'persons', 'position(', 'prewhere', 'partition', 'preceding']],
  ['select p| from events', ['person_id', 'persons', 'position(', 'prewhere', 'partition', 'preceding']],
  ['select * from p|', ['persons']],
  ['select * from events join e|', ['events']],
  ['select persons.| from persons', ['person_id', 'plan']],
  ['select e.p| from events as e', ['person_id']],
  ['SELECT coun|', ['count(', 'countIf(']],
  // written in full, within a word, a string or a comment, or with nothing to go by
  ['select event| from events', undefined],
  ['select ev|ent from events', undefined],
  ["where event = 'ev|", undefined],
  ['-- ev|', undefined],
  ['select |', undefined],
])('%s offers %j', (drawn, expected) => expect(offeredAt(drawn)).toEqual(expected))

test('a column of several tables says so', () => {
  expect(language.completionAt?.('select pers', 11)?.suggestions[0]).toEqual({
    text: 'person_id',
    about: 'column of events, persons',
  })
})
