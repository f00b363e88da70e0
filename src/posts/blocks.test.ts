import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { attributesOf, blockList, blockNamed } from './blocks'

const manual = readFileSync('docs/posts.md', 'utf8')

test.each(blockList)(
  'the manual has $name, with all that can be said of it',
  ({ name, holds, attributes }) => {
    const row =
      manual.split('\n').find((line) => line.startsWith(`| \`${holds ? ':::' : '::'}${name}\` |`)) ?? ''
    for (const [attribute, meaning] of Object.entries(attributes))
      expect(row).toContain(`\`${attribute}\`: ${meaning}`)
    expect(row).not.toBe('')
  },
)

test.each(blockList)('the example of $name says only what the block has', ({ example, attributes }) => {
  const [, text = ''] = /\{(.*)\}/.exec(example) ?? []
  const names = [...text.matchAll(/([\w-]+)="[^"]*"/g)].map(([, name]) => name)
  expect(names.filter((name = '') => !Object.hasOwn(attributes, name))).toEqual([])
})

test('of what is written about a block, only what it has is kept', () => {
  const kind = blockNamed('details')
  if (!kind) throw new Error('There is no details block.')
  expect(attributesOf(kind, { title: 'x'.repeat(9000), open: '', onclick: 'x', id: 'y' })).toEqual({
    title: 'x'.repeat(2000),
    open: 'open',
  })
})
