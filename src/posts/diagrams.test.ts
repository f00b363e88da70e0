import { describe, expect, test } from 'vitest'
import { codePicture, diagramTrouble, mayHoldDiagrams } from './diagrams'
import { readMarkdown } from './markdown'

const names = (count: number): string => Array.from({ length: count }, (_, place) => `n${place}`).join(' ')

describe('a diagram', () => {
  test('is an image whose address is made of its code', () => {
    const [one, same, other] = ['graph TD; a-->b', 'graph TD; a-->b', 'graph TD; a-->c'].map(
      (code) => readMarkdown(`\`\`\`mermaid\n${code}\n\`\`\``).diagrams[0],
    )
    expect(one).toEqual(same)
    expect(one?.address).toMatch(/^\/_tilth\/diagrams\/[\w-]{22}\.svg$/)
    expect(other?.address).not.toBe(one?.address)
  })

  test.each([
    ['dot', 'x'.repeat(30_000)],
    ['mermaid', 'x'.repeat(30_000)],
    ['dot', `digraph { {${names(1000)}} -> {${names(1000)}} }`],
  ])('in %s that is too large is not drawn', (language, code) => {
    expect(diagramTrouble({ code, language })).toMatch(/^A diagram has at most 20,000 letters and 400 edges/)
  })

  test('with some sentences and an ampersand is not too large', () => {
    const code = `graph TD\n A["R&D ${names(100)}"] --> B`
    expect(diagramTrouble({ code, language: 'mermaid' })).toBeUndefined()
  })

  test('that cannot be drawn is a picture of its code for feeds', () => {
    expect(codePicture('a <b>', 'Line 1 is wrong.')).toMatch(
      /^<svg.*<text[^>]*>Line 1 is wrong\..*a &lt;b&gt;.*<\/svg>$/s,
    )
  })

  test.each([
    ['```mermaid\nx\n```', true],
    ['- a\n  ~~~~ DOT\n', true],
    ['```ts\nx\n```', false],
    ['About mermaids', false],
  ])('is found only where one may be: %j', (text, may) => expect(mayHoldDiagrams(text)).toBe(may))
})
