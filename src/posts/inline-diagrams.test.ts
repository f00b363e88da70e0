import { expect, test } from 'vitest'
import { inlineDiagrams } from './inline-diagrams'
import { htmlOf, readMarkdown } from './markdown'

test('a draft shows its diagrams without asking for them, and what was read stays as it was', async () => {
  const document = readMarkdown('```dot\ndigraph { a -> b }\n```\n\n![A tree](/_tilth/images/a.png)')
  const before = htmlOf(document, 'https://garden.example')
  const html = htmlOf(await inlineDiagrams(document), 'https://garden.example')
  const [, image = ''] = /src="data:image\/svg\+xml;base64,([^"]+)"/.exec(html) ?? []
  expect(Buffer.from(image, 'base64').toString()).toMatch(/^<svg[^>]*>[^]*<\/svg>\s*$/)
  expect(html).toContain('/_tilth/images/a.png')
  expect(htmlOf(document, 'https://garden.example')).toBe(before)
  expect(before).toContain('/_tilth/diagrams/')
})

test('a text without any is as it was read', async () => {
  const document = readMarkdown('Hello')
  expect(await inlineDiagrams(document)).toBe(document)
})
