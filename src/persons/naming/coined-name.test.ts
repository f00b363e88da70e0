import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { personIdOf } from '../person'
import { coinedName, coinedNamesWith, markColours, markOf, markShapes } from './coined-name'
import { adjectives, nouns } from './words'

/** Parts of words that are rude, or a group of people, in English or in a language of many readers. */
const bannedParts = [
  'anal',
  'anus',
  'bitch',
  'black',
  'bra ',
  'brown',
  'cock',
  'coon',
  'cunt',
  'dick',
  'fag',
  'fuck',
  'gay',
  'gypsy',
  'hoe',
  'jap',
  'kike',
  'nazi',
  'negr',
  'paki',
  'pansy',
  'pecker',
  'piss',
  'poop',
  'porn',
  'puta',
  'rape',
  'sex',
  'shit',
  'slut',
  'spic',
  'tard',
  'tit',
  'turd',
  'wank',
  'whore',
]

/** Animals, bodies and looks that insult as the name of a person, and colours, which a mark would contradict. */
const bannedWords = [
  'ape',
  'ass',
  'baboon',
  'boar',
  'chimp',
  'cow',
  'dog',
  'donkey',
  'elephant',
  'gorilla',
  'hippo',
  'hog',

  'leech',
  'louse',
  'monkey',
  'mule',
  'parrot',
  'pig',
  'pigeon',
  'rat',
  'sheep',
  'shrew',
  'skunk',
  'sloth',

  'slug',
  'snake',
  'toad',
  'vulture',
  'walrus',
  'weasel',
  'whale',
  'worm',
  'beaver',
  'chicken',
  'bear',
  'big',
  'bald',
  'dumb',
  'fat',
  'lazy',
  'old',
  'plain',
  'short',
  'slow',
  'small',
  'tall',
  'thin',
  'ugly',

  'blue',
  'golden',
  'gray',
  'green',
  'grey',
  'orange',
  'pink',
  'purple',
  'red',
  'silver',
  'white',
  'yellow',

  'asian',
  'dutch',
  'roman',
  'turkish',
  'turkey',
  'arab',
  'polish',
  'danish',
  'english',
]

/** Pairs that mean something of their own. */
const bannedPairs = [
  'busy beaver',
  'cold fish',
  'eager beaver',
  'early bird',
  'lame duck',
  'lone wolf',
  'loose goose',
  'mad hatter',
  'odd duck',
  'paper tiger',
  'poor fish',
  'proud peacock',
  'silly goose',
  'sitting duck',
  'sly fox',
  'strange fruit',
  'wet hen',
  'wild boar',
  'wild goose',
  'wise guy',
]

describe('the words', () => {
  test.each([
    ['adjectives', adjectives, 200],
    ['nouns', nouns, 400],
  ])('%s are short, lower-case, and each there once', (_, words, count) => {
    expect(words).toHaveLength(count)
    expect(new Set(words).size).toBe(count)
    expect(words.filter((word) => !/^[a-z]{3,12}$/.test(word))).toEqual([])
  })

  test('none is rude, and none belongs to both lists', () => {
    const words = [...adjectives, ...nouns]
    expect(words.filter((word) => bannedWords.includes(word))).toEqual([])
    expect(words.filter((word) => bannedParts.some((part) => word.includes(part)))).toEqual([])
    expect(adjectives.filter((word) => nouns.includes(word))).toEqual([])
  })

  test('no pair is rude, nor makes a rude word where the two meet', () => {
    const pairs = adjectives.flatMap((adjective) => nouns.map((noun) => `${adjective} ${noun}`))
    expect(pairs.filter((pair) => bannedPairs.includes(pair))).toEqual([])
  })

  test('are the same as ever: another list gives visitors other names', () => {
    expect(hash('sha256', [...adjectives, '/', ...nouns].join(' '))).toBe(
      '47efd7a0239f8c73c93ee1bf04ff4a28b0e912a1ba8b2559235dcadf0ae9a8af',
    )
  })
})

describe('the name of an id', () => {
  test.each([
    ['00000000-0000-5000-8000-000000000000', 'Able Acorn', { shape: 0, colour: 0 }],
    ['000000c7-0000-5000-8000-00000000018f', 'Zippy Zither', { shape: 0, colour: 0 }],
    ['000000c8-0000-5000-8000-005f00000190', 'Able Acorn', { shape: 11, colour: 7 }],
  ])('of %s is %s', (id, name, mark) => {
    expect(coinedName(id)).toBe(name)
    expect(markOf(id)).toEqual(mark)
  })

  const ids = Array.from({ length: 40_000 }, (_, n) => personIdOf(1, `visitor ${n}`))

  test('uses every word about as often, and every mark', () => {
    const names = ids.map((id) => coinedName(id).toLowerCase().split(' '))
    expect(
      chiSquareOf(
        names.map(([adjective]) => adjective),
        adjectives.length,
      ),
    ).toBeLessThan(1)
    expect(
      chiSquareOf(
        names.map(([, noun]) => noun),
        nouns.length,
      ),
    ).toBeLessThan(1)
    const marks = ids.map((id) => JSON.stringify(markOf(id)))
    expect(chiSquareOf(marks, markShapes * markColours)).toBeLessThan(1)
  })

  test('is shared by few of 10,000 visitors, and by hardly any with the same mark', () => {
    const some = ids.slice(0, 10_000)
    const names = some.map(coinedName)
    expect(some.length - new Set(names).size).toBeLessThan(700)
    const marked = some.map((id) => `${coinedName(id)} ${JSON.stringify(markOf(id))}`)
    expect(some.length - new Set(marked).size).toBeLessThan(20)
  })
})

/** The distance of counts from even, in critical values at p = 0.001 (Wilson and Hilferty): below 1 they are even. */
function chiSquareOf(values: readonly (string | undefined)[], kinds: number): number {
  const counts = [...Map.groupBy(values, (value) => value).values()].map(({ length }) => length)
  const expected = values.length / kinds
  const missing = (kinds - counts.length) * expected
  const sum = counts.reduce((total, count) => total + (count - expected) ** 2 / expected, missing)
  const freedom = kinds - 1
  return sum / (freedom * (1 - 2 / (9 * freedom) + 3.09 * Math.sqrt(2 / (9 * freedom))) ** 3)
}

test.each(['heron', 'QUIET', 'quiet heron', 't h', 'quiet her', 'quiet ', 'eron', 'e', 'x y z', '%'])(
  'the names with “%s” are those with a word that begins so',
  (text) => {
    const found = coinedNamesWith(text)
    const isFound = (adjective: number, noun: number) => {
      const [fits, does] = [found.adjectives.includes(adjective), found.nouns.includes(noun)]
      return found.isPair ? fits && does : fits || does
    }
    const begins = (name: string) => ` ${name}`.includes(` ${text.toLowerCase()}`)
    const differing = adjectives.flatMap((adjective, a) =>
      nouns.flatMap((noun, n) =>
        isFound(a, n) === begins(`${adjective} ${noun}`) ? [] : [[adjective, noun]],
      ),
    )
    expect(differing).toEqual([])
  },
)
