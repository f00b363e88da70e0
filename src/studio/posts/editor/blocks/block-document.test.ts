import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type BlockDocument,
  blockOf,
  documentOf,
  duplicate,
  edit,
  insertAfter,
  joinBefore,
  move,
  offsetOf,
  placeAt,
  remove,
  settle,
  splitAt,
  textOf,
  withText,
} from './block-document'

const idAt = ({ blocks }: BlockDocument, index: number): number => blocks.at(index)?.id ?? -1
const sample = '# A\nfirst\n\n- one\n- two\n\n\nlast\n'

test('a text is the same as long as nothing is changed', () => {
  expect(textOf(documentOf(sample))).toBe(sample)
})

test('an edit changes the bytes of its block and no others', () => {
  const document = documentOf(sample)
  expect(textOf(edit(document, idAt(document, 2), '- one\n- three', 13).document)).toBe(
    '# A\nfirst\n\n- one\n- three\n\n\nlast\n',
  )
})

test('an edited block keeps the line ends that it has', () => {
  const document = documentOf('a\r\nb\r\n\r\nc')
  const { document: changed } = edit(document, idAt(document, 0), 'a\nb\nd', 5)
  expect(textOf(changed)).toBe('a\r\nb\r\nd\r\n\r\nc')
})

test('what is typed decides the kind of the block', () => {
  const { document, id } = insertAfter(documentOf('a'), 0, [''])
  expect(blockOf(edit(document, id, '## B', 4).document, id)?.type).toBe('heading')
  expect(blockOf(edit(document, id, '- b', 3).document, id)?.type).toBe('list')
})

test('a block whose text is several becomes these, and the caret stays where it was', () => {
  const document = documentOf('one\n\nthree')
  const split = edit(document, idAt(document, 0), 'one\n\n- two', 8)
  expect(split.document.blocks.map(({ source }) => source)).toEqual(['one', '- two', 'three'])
  expect([split.id, split.caret]).toEqual([idAt(split.document, 1), 3])
})

test('a block that is begun and left leaves no trace, wherever it was', () => {
  const document = documentOf(sample)
  for (const { id } of document.blocks) {
    const begun = insertAfter(document, id, [''])
    expect(textOf(begun.document)).toBe(sample)
    expect(textOf(insertAfter(begun.document, begun.id, ['']).document)).toBe(sample)
  }
  expect(textOf(insertAfter(documentOf(''), undefined, ['']).document)).toBe('')
})

test('what is written or put in behind an empty block stands on its own', () => {
  const begun = insertAfter(documentOf('a\n'), 0, [''])
  const again = insertAfter(begun.document, begun.id, [''])
  expect(textOf(edit(again.document, again.id, 'b', 1).document)).toBe('a\n\nb\n')
  const put = insertAfter(begun.document, begun.id, ['![](/b)', '![](/c)'])
  expect(textOf(put.document)).toBe('a\n\n![](/b)\n\n![](/c)\n')
  expect(textOf(edit(put.document, put.id, '', 0).document)).toBe('a\n\n![](/b)\n')
})

test.each([
  ['after a heading', 0, '# A\n\nnew\n\nfirst\n\n- one\n- two\n\n\nlast\n'],
  ['at the end', 3, '# A\nfirst\n\n- one\n- two\n\n\nlast\n\nnew\n'],
])('a new block %s stands on its own', (_, index, text) => {
  const document = documentOf(sample)
  expect(textOf(insertAfter(document, idAt(document, index), ['new']).document)).toBe(text)
})

test('a block moves, and blocks that would become one are kept apart', () => {
  const document = documentOf('# A\nfirst\n\nlast')
  expect(textOf(move(document, idAt(document, 0), 2))).toBe('first\n\nlast\n\n# A')
  expect(textOf(move(document, idAt(document, 2), 0))).toBe('last\n\n# A\n\nfirst')
  expect(textOf(move(document, idAt(document, 0), -1))).toBe('# A\nfirst\n\nlast')
})

test('a block is doubled and removed', () => {
  const document = documentOf(sample)
  const doubled = duplicate(document, idAt(document, 3))
  expect(textOf(doubled.document)).toBe('# A\nfirst\n\n- one\n- two\n\n\nlast\n\nlast\n')
  expect(textOf(remove(document, idAt(document, 3)))).toBe('# A\nfirst\n\n- one\n- two\n')
  expect(textOf(remove(document, idAt(document, 0)))).toBe('first\n\n- one\n- two\n\n\nlast\n')
})

test('Enter splits a paragraph, and Backspace joins it again', () => {
  const document = documentOf('one two\n')
  const split = splitAt(document, idAt(document, 0), 4)
  expect(textOf(split.document)).toBe('one \n\ntwo\n')
  const whole = joinBefore(split.document, split.id)
  expect(whole && textOf(whole.document)).toBe('one two\n')
  expect(whole?.caret).toBe(4)
  expect(joinBefore(document, idAt(document, 0))).toBeUndefined()
})

test('Backspace never melts a paragraph into a table or code', () => {
  const document = documentOf('```\na\n```\n\nb')
  const joined = joinBefore(document, idAt(document, 1))
  expect(joined && textOf(joined.document)).toBe('```\na\n```\n\nb')
  expect(joined?.id).toBe(idAt(document, 0))
})

test('a code block that is not closed yet takes what follows once it is left, as on the site', () => {
  const document = documentOf('a\n\nb')
  const opened = edit(document, idAt(document, 0), '```', 3)
  expect(opened.document.blocks).toHaveLength(2)
  expect(settle(opened).document.blocks).toHaveLength(1)
})

test('another text keeps the numbers of the blocks that are in it', () => {
  const document = documentOf('a\n\nb\n\nc')
  const ids = document.blocks.map(({ id }) => id)
  expect(withText(document, 'a\n\nx\n\nc').blocks.map(({ id }) => id)).toEqual(ids)
  const longer = withText(document, 'a\n\nb\n\nnew\n\nc').blocks.map(({ id }) => id)
  expect(longer).toEqual([ids[0], ids[1], document.nextId, ids[2]])
  expect(withText(document, 'c').blocks.map(({ id }) => id)).toEqual([ids[2]])
})

const lines = fc.constantFrom(
  '# A',
  'words',
  '- a',
  '1. b',
  '> q',
  '```',
  '---',
  '| a |\n| - |',
  '[a]: /b',
  ':::tip',
  ':::',
)
const text = fc
  .array(fc.tuple(lines, fc.constantFrom('\n', '\n\n', '\r\n', '\r\n\r\n', '\n\n\n')), { maxLength: 12 })
  .map((written) => written.flat().join(''))

test('an edit of any block changes its bytes only', () => {
  fc.assert(
    fc.property(text, fc.nat(), (body, at) => {
      const document = documentOf(body)
      const block = document.blocks[at % Math.max(1, document.blocks.length)]
      if (!block) return
      const changed = textOf(edit(document, block.id, 'another text', 3).document)
      const start = document.before.length + lengthBefore(document, block.id)
      const end = start + block.source.length
      expect(changed).toBe(`${body.slice(0, start)}another text${body.slice(end)}`)
    }),
  )
})

const lengthBefore = ({ blocks }: BlockDocument, id: number): number =>
  blocks
    .slice(
      0,
      blocks.findIndex((block) => block.id === id),
    )
    .reduce((sum, { source, gap }) => sum + source.length + gap.length, 0)

test('every offset in a block leads back to it', () => {
  fc.assert(
    fc.property(text, fc.nat(), (body, at) => {
      const document = documentOf(body)
      const block = document.blocks[at % Math.max(1, document.blocks.length)]
      if (block)
        expect(placeAt(document, offsetOf(document, block.id, 1))).toEqual({ id: block.id, caret: 1 })
    }),
  )
})

test('no text is lost by any order of moves', () => {
  fc.assert(
    fc.property(text, fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 5 }), (body, moves) => {
      let document = documentOf(body)
      const before = document.blocks.map(({ source }) => source).toSorted()
      for (const [from, to] of moves) {
        const moved = document.blocks[from]
        if (moved) document = move(document, moved.id, to)
      }
      expect(document.blocks.map(({ source }) => source).toSorted()).toEqual(before)
      expect(new Set(document.blocks.map(({ id }) => id)).size).toBe(before.length)
    }),
  )
})
