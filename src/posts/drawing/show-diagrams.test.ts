import { expect, test } from 'vitest'
import type { Diagram } from '../diagrams'
import { htmlOf, readMarkdown } from '../markdown'
import type { Drawing } from './drawing'
import { showDiagrams, showDraftDiagrams } from './show-diagrams'

const drawings = {
  drawingOf: ({ code }: Diagram): Promise<Drawing> =>
    Promise.resolve(
      code.startsWith('digraph')
        ? { done: true, svg: '<svg width="30" height="40"></svg>', width: 30, height: 40 }
        : { done: false, message: 'Line 2 is wrong.' },
    ),
}
const read = () =>
  readMarkdown(
    '```dot\ndigraph { a -> b }\n```\n\n```mermaid\nnonsense\n```\n\n![A tree](/_tilth/images/a.png)',
  )
const origin = 'https://garden.example'

test('a page gives diagrams their size, and shows the code of one with a mistake', async () => {
  const document = read()
  const before = htmlOf(document, origin)
  const html = htmlOf(await showDiagrams(document, drawings), origin)
  expect(html).toMatch(/<img src="[^"]*\/_tilth\/diagrams\/[^"]*" alt="[^"]*" width="30" height="40">/)
  expect(html).toContain('nonsense')
  expect(html).not.toContain('Line 2 is wrong.')
  expect(htmlOf(document, origin)).toBe(before)
})

test('a draft holds its diagrams, and tells the writer what is wrong with one', async () => {
  const html = htmlOf(await showDraftDiagrams(read(), drawings), origin)
  const [, image = ''] = /src="data:image\/svg\+xml;base64,([^"]+)"/.exec(html) ?? []
  expect(Buffer.from(image, 'base64').toString()).toMatch(/^<svg[^>]*><\/svg>$/)
  expect(html).toContain('Line 2 is wrong.')
  expect(html).toContain('/_tilth/images/a.png')
})

test('a text without any is as it was read', async () => {
  const document = readMarkdown('Hello')
  expect(await showDiagrams(document, drawings)).toBe(document)
})
