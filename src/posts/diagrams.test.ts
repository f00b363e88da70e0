import { describe, expect, test } from 'vitest'
import { renderDiagram } from './diagrams'
import { readMarkdown } from './markdown'
import { sanitizeSvg } from './reading/sanitize-svg'

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
    ['mermaid', 'graph TD\n A[Start here] --> B{Choice}', 'Start here'],
    ['mermaid', 'sequenceDiagram\n Ana->>Ben: Hello', 'Hello'],
    ['dot', 'digraph { a -> b [label="go"] }', 'go'],
    ['graphviz', 'graph { a -- b }', 'a'],
  ])('in %s is drawn for light and dark, and asks nobody else for anything', async (language, code, word) => {
    const drawn = await renderDiagram(code, language)
    expect(drawn).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
    expect(drawn).toContain(word)
    expect(drawn).toContain('prefers-color-scheme:dark')
    expect(drawn.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|@import|var\(--_|href|<a\b/)
  })

  test.each([
    ['mermaid', 'nonsense'],
    ['dot', 'digraph { a -> '],
    ['dot', 'x'.repeat(30_000)],
    ['dot', `digraph { {${names(1000)}} -> {${names(1000)}} }`],
    ['mermaid', `graph TD\n${names(200).replaceAll(' ', ' & ')} --> ${names(200).replaceAll(' ', ' & ')}`],
  ])('in %s that cannot be read says so in its place', async (language, code) => {
    const drawn = await renderDiagram(code, language)
    expect(drawn).toMatch(/^<svg.*<text.*<\/svg>$/s)
  })

  test.each([
    [
      'dot',
      `digraph { ${Array.from({ length: 390 }, (_, place) => `n${place % 60} -> n${(place * 7) % 61}`).join(';')} }`,
    ],
    [
      'mermaid',
      `graph TD\n${Array.from({ length: 190 }, (_, place) => `n${place % 40} --> m${(place * 7) % 31}`).join('\n')}`,
    ],
  ])('in %s that is as large as may be is drawn in a moment', async (language, code) => {
    const started = process.cpuUsage()
    const drawn = await renderDiagram(code, language)
    expect(drawn).toContain('n1')
    expect(drawn).not.toContain('A diagram has at most')
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(15)
  })

  test('with colours of its own stays light, so that its words can be read', async () => {
    expect(await renderDiagram('digraph { a [style=filled fillcolor=yellow] }', 'dot')).not.toContain(
      'prefers-color-scheme',
    )
  })

  test.each([
    ['dot', 'digraph { a [URL="javascript:alert(1)" label="<script>x</script>" image="http://x/y.png"] }'],
    ['mermaid', 'graph TD\n A["<script>alert(1)</script>"] --> B\n click A "javascript:alert(1)"'],
    ['mermaid', 'graph TD\n A[x]\n style A fill:url(https://evil.example)'],
  ])('in %s that is hostile is drawn without what it wants: %s', async (language, code) => {
    const drawn = await renderDiagram(code, language)
    expect(drawn).not.toMatch(/<script|<a\b|<image|javascript:[^<]*"|evil\.example[^<]*"|\son\w+=/)
  })
})

test.each([
  ['<svg onload="x()"><script>x()</script><rect x="1"/></svg>', '<rect x="1"/>'],
  ['<svg><foreignObject><b>x</b></foreignObject><text>a</text></svg>', '<text>a</text>'],
  ['<svg><a href="javascript:x()"><text>a</text></a></svg>', '<text>a</text>'],
  ['<svg><rect fill="url(https://x)" x="1"/></svg>', '<rect x="1"/>'],
  ['<svg><path marker-end="url(#arrow)"/></svg>', '<path marker-end="url(#arrow)"/>'],
  ['<svg><style>@import "x"</style><g/></svg>', '<g/>'],
  ['<svg><!-- <script> --><g></g></svg>', '<g></g>'],
  ['<svg><image href="https://x"/><use href="#y"/><animate/></svg>', ''],
  ['<svg><text>a < b & c</text></svg>', '<text>a  b &amp; c</text>'],
])('of %s remains %s', (drawn, remains) => {
  const [, inside = ''] = /^<svg [^>]*>(?:<style>[^<]*<\/style>)+(.*)<\/svg>$/s.exec(sanitizeSvg(drawn)) ?? []
  expect(inside).toBe(remains)
})
