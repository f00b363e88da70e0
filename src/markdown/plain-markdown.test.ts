import { expect, test } from 'vitest'
import { expectLinear } from '#test/running/growth'
import { html_text as hostile } from '#test/vectors/security-inputs.json'
import { type Block, type Inline, readPlainMarkdown } from './plain-markdown'

/** Told shortly, so that a case fits on a line. */
const told = (blocks: readonly Block[]): string[] => blocks.map(tellBlock)

function tellBlock(block: Block): string {
  if (block.type === 'rule') return 'rule'
  if (block.type === 'code') return `code ${JSON.stringify(block.text)}`
  if (block.type === 'list')
    return `${block.isNumbered ? 'numbers' : 'list'} ${block.items.map((item) => textOf(item)).join(' | ')}`
  return `${block.type}${block.type === 'heading' ? ` ${block.level}` : ''} ${textOf(block.inside)}`
}

const textOf = (parts: readonly Inline[]): string =>
  parts
    .map((part) => {
      if (part.type === 'text') return part.text
      if (part.type === 'code') return `<code ${part.text}>`
      return part.type === 'link'
        ? `<${part.href} ${textOf(part.inside)}>`
        : `<${part.type} ${textOf(part.inside)}>`
    })
    .join('')

test.each<[text: string, blocks: string[]]>([
  ['', []],
  [
    '# One\n## Two\n### Three\n#### Four',
    ['heading 1 One', 'heading 2 Two', 'heading 3 Three', 'paragraph #### Four'],
  ],
  ['One line\nand another\n\nA second', ['paragraph One line and another', 'paragraph A second']],
  ['- a\n- b\n1. c\n2. d', ['list a | b', 'numbers c | d']],
  ['> said\n> twice', ['quote said twice']],
  ['- a\nb\n> c\nd', ['list a', 'paragraph b', 'quote c', 'paragraph d']],
  ['- a\n  and b\n  - c\n\n1. d\n\n2. e', ['list a and b | c', 'numbers d | e']],
  ['```\n- a\nb\n```', ['code "- a\\nb"']],
  ['> # a\n> - b', ['quote a b']],
  ['before\n---\nafter', ['paragraph before', 'rule', 'paragraph after']],
  ['```\na **b**\n\n- c\n```\nd', ['code "a **b**\\n\\n- c"', 'paragraph d']],
  ['```\nnever ended', ['code "never ended"']],
  ['**strong** and *so* and _so_', ['paragraph <strong strong> and <emphasis so> and <emphasis so>']],
  ['__init__.py', ['paragraph __init__.py']],
  ['**a *b* c**', ['paragraph <strong a <emphasis b> c>']],
  ['![p](https://example.com)', ['paragraph !<https://example.com p>']],
  ['some_property_name and 2 * 3 * 4', ['paragraph some_property_name and 2 * 3 * 4']],
  ['`**code**`', ['paragraph <code **code**>']],
  ['[Docs](https://example.com/a?b=1)', ['paragraph <https://example.com/a?b=1 Docs>']],
  ['[here](/studio/acme)', ['paragraph </studio/acme here>']],
  ['**[x](mailto:a@b.example)**', ['paragraph <strong <mailto:a@b.example x>>']],
  // links to other things than pages stay text
  ['[x](javascript:alert(1))', ['paragraph [x](javascript:alert(1))']],
  ['[x](//evil.example)', ['paragraph [x](//evil.example)']],
  ['[x](data:text/html,a)', ['paragraph [x](data:text/html,a)']],
  ['<b>bold</b> & <script>', ['paragraph <b>bold</b> & <script>']],
])('%j', (text, blocks) => expect(told(readPlainMarkdown(text))).toEqual(blocks))

test.each(hostile.payloads)('%j never becomes a link', (words) => {
  expect(JSON.stringify(readPlainMarkdown(`${words}\n[a](${words})`))).not.toMatch(
    /"href":"(?!https?:|mailto:|\/)/i,
  )
})

test.each(['*', '[', '**a', '[a](', '`', '_a ', '> ', '- ', '# '])(
  'ten thousand times %j takes no longer than it is',
  async (part) => {
    await expectLinear((size) => {
      const text = part.repeat(size)
      return () => readPlainMarkdown(text)
    }, 5000)
  },
)
