import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SourceBlocks } from '#markdown/source-blocks'
import { blockList } from './blocks'
import { addressesFor, splitPostBody } from './source-blocks'

const sources = (text: string): string[] => splitPostBody(text).blocks.map(({ source }) => source)
const typed = (text: string): string[] =>
  splitPostBody(text).blocks.map(({ type, source }) => `${type} ${JSON.stringify(source)}`)

const joinSourceBlocks = ({ before, blocks }: SourceBlocks): string =>
  before + blocks.map(({ source, gap }) => source + gap).join('')

test.each<[text: string, blocks: string[]]>([
  ['', []],
  ['\n \n', []],
  ['One\ntwo\n\nThree', ['paragraph "One\\ntwo"', 'paragraph "Three"']],
  ['# A\ntext\n- a\n- b\n\n  more', ['heading "# A"', 'paragraph "text"', 'list "- a\\n- b\\n\\n  more"']],
  ['A\n===\n\n---\n> q\nlazy', ['heading "A\\n==="', 'thematicBreak "---"', 'blockquote "> q\\nlazy"']],
  ['```js\n\n- no list\n```\nafter', ['code "```js\\n\\n- no list\\n```"', 'paragraph "after"']],
  ['```\nnever closed\n\n\n', ['code "```\\nnever closed"']],
  ['| a | b |\n| - | -: |\n| 1 | 2 |', ['table "| a | b |\\n| - | -: |\\n| 1 | 2 |"']],
  [':::note\nA\n\nB\n:::\n\nC', ['containerDirective ":::note\\nA\\n\\nB\\n:::"', 'paragraph "C"']],
  // a block that nothing here knows, and a component of a team's own
  [':::mine{a=1}\nA\n\nB\n:::', ['containerDirective ":::mine{a=1}\\nA\\n\\nB\\n:::"']],
  ['<Price monthly={9} />\n\n<!-- a -->', ['paragraph "<Price monthly={9} />"', 'paragraph "<!-- a -->"']],
  [
    'See [a] and[^1].\n\n[a]: /b\n[^1]: Note\n    more',
    ['paragraph "See [a] and[^1]."', 'definition "[a]: /b"', 'footnoteDefinition "[^1]: Note\\n    more"'],
  ],
  ['one\r\ntwo\r\n\r\n- a\r\n', ['paragraph "one\\r\\ntwo"', 'list "- a"']],
  ['\uFEFF# A\n\n\0 b', ['heading "\uFEFF# A"', String.raw`paragraph "\u0000 b"`]],
])('%j is split into its blocks', (text, blocks) => {
  expect(typed(text)).toEqual(blocks)
  expect(joinSourceBlocks(splitPostBody(text))).toBe(text)
})

const markdownFilesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^[^/]+\.md$/.test(name))
    .map((name) => join(folder, name))

/** The manual is real Markdown of every kind. */
const manual = [...markdownFilesIn('docs'), 'README.md', 'CHANGELOG.md'].map((file) =>
  readFileSync(file, 'utf8'),
)

test('real texts are the same after they were split and joined', () => {
  expect(manual.length).toBeGreaterThan(20)
  for (const text of manual) {
    expect(joinSourceBlocks(splitPostBody(text))).toBe(text)
  }
})

const lines = [
  ...blockList.map(({ example }) => example),
  '# A',
  'words',
  '- a',
  '  - b',
  '1. c',
  '> q',
  '    code',
  '```',
  '~~~js',
  '---',
  '===',
  '| a |',
  '| - |',
  '[a]: /b',
  '[a]',
  '[^n]: x',
  '[^n]',
  ':::',
  ':::note',
  '::latest',
  '<b>',
  '\t',
  '\\',
  '&amp;',
]
const text = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom(...lines), fc.string({ unit: 'grapheme', maxLength: 12 })),
      fc.constantFrom('\n', '\n\n', '\r\n', '\r', '\n \n\n', ''),
    ),
    { maxLength: 20 },
  )
  .map((written) => written.flat().join(''))

test('every text is the same after it was split and joined', () => {
  fc.assert(
    fc.property(text, (body) => {
      expect(joinSourceBlocks(splitPostBody(body))).toBe(body)
    }),
  )
})

test('no block begins or ends with an empty line, and nothing but empty lines is between two', () => {
  fc.assert(
    fc.property(text, (body) => {
      const { before, blocks } = splitPostBody(body)
      for (const { source } of blocks) {
        expect(
          source
            .split(/\r\n|\r|\n/)
            .at(0)
            ?.trim(),
        ).not.toBe('')
        expect(
          source
            .split(/\r\n|\r|\n/)
            .at(-1)
            ?.trim(),
        ).not.toBe('')
      }
      expect([before, ...blocks.map(({ gap }) => gap)].join('').trim()).toBe('')
    }),
  )
})

test('a long text is split as a short one', () => {
  const long = Array.from({ length: 400 }, (_, index) => `Paragraph ${index} of some length, and more.`)
  expect(sources(long.join('\n\n'))).toEqual(long)
})

test('a block is read alone with the addresses that it names', () => {
  const forSource = addressesFor('See [a].\n\n[a]: /b "T"\n[c]: /d\n\n[^1]: Note')
  expect(forSource('See [a][^1].')).toBe('[a]: /b "T"\n\n')
  expect(forSource('See [c].')).toBe('[c]: /d\n\n')
  expect(forSource('Nothing')).toBe('')
  expect(addressesFor('Nothing')('[a]')).toBe('')
})
