import { expect, test } from 'vitest'
import { compileMdx, markdownOfMdx } from './mdx'

test.each([
  ['tags', 'Some <b>**words**</b> here.', 'Some **words** here.'],
  ['imports', 'import A from "./a"\n\nWords.', 'Words.'],
  ['expressions', 'Now: {1 + 1}.', 'Now: .'],
  ['an element that holds nothing', 'Before.\n\n<Chart of={[1]} />\n\nAfter.', 'Before.\n\nAfter.'],
  [
    'all variants of an experiment but the first',
    '<Experiment of="a">\n  <Variant is="x">\n    One.\n  </Variant>\n  <Variant is="y">Two.</Variant>\n</Experiment>',
    'One.',
  ],
  [
    'all but the first of variants that each take a line',
    '<Experiment of="a">\n  <Variant is="x">One.</Variant>\n  <Variant is="y">Two.</Variant>\n</Experiment>',
    'One.',
  ],
  ['a variant by itself', 'Before. <Variant of="a">Hidden.</Variant> After.', 'Before.  After.'],
])('the Markdown of MDX is without %s', (_, mdx, markdown) => expect(markdownOfMdx(mdx)).toBe(markdown))

test('Markdown in MDX means what it means elsewhere', async () => {
  const code = await compileMdx(
    '# Hello\n\n:::note\nWords.\n:::\n\n```ts\nconst a = 1\n```\n\n| A |\n|---|\n| 1 |',
  )
  for (const part of ['"at-hello"', 'aside-note', 'code-keyword', '"table"']) expect(code).toContain(part)
})

test('a mistake is told with its line in the file', async () => {
  await expect(compileMdx('---\ntitle: A\n---\n\nWords.\n\n{1 +}')).rejects.toMatchObject({ line: 7 })
})
