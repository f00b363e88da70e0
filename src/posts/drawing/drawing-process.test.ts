import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { installedDiagramPrograms } from './diagram-programs'
import { DrawingProcess } from './drawing-process'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tilth-drawing-')))
const program = join(folder, 'diagram-program.mjs')
const settings = { program, programs: installedDiagramPrograms(), deadlineMs: 60_000 }
const shared = new DrawingProcess(settings)

beforeAll(async () => {
  const entry = resolve(import.meta.dirname, 'drawing-program.ts')
  await build({
    entryPoints: [entry],
    outfile: program,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  })
})
afterAll(() => {
  shared.close()
  rmSync(folder, { recursive: true })
})

async function drawn(code: string, language = 'mermaid') {
  const drawing = await shared.draw(code, language)
  if (!drawing?.done) throw new Error(drawing?.message)
  return drawing
}

describe('a diagram', () => {
  test.each([
    ['graph TD\nA-->B', 'B'],
    ['flowchart LR\n A[(Database)] -- sends --> B{Is it?}', 'Database'],
    ['sequenceDiagram\n Ana->>Ben: Hello\n Note over Ana,Ben: At noon', 'At'],
    ['stateDiagram-v2\n [*] --> Still\n Still --> Moving', 'Moving'],
    ['classDiagram\n Animal <|-- Duck\n Animal: +int age', 'Duck'],
    ['erDiagram\n CUSTOMER ||--o{ ORDER : places', 'CUSTOMER'],
    ['pie title Pets\n "Dogs": 3\n "Cats": 2', 'Dogs'],
    ['gantt\n title Plan\n dateFormat YYYY-MM-DD\n section One\n Dig :a1, 2026-01-01, 30d', 'Dig'],
    ['gitGraph\n commit\n branch dev\n commit', 'dev'],
    ['timeline\n title History\n 2002 : Founded', 'Founded'],
    ['quadrantChart\n x-axis Low --> High\n Sites: [0.3, 0.6]', 'Sites'],
    ['journey\n title My day\n section Go\n Make tea: 5: Me', 'Make tea'],
    ['xychart-beta\n x-axis [jan, feb]\n bar [10, 20]', 'jan'],
    ['block-beta\n columns 2\n one two', 'two'],
    ['kanban\n todo[Todo]\n  a[Water]', 'Water'],
    ['C4Context\n Person(a, "Gardener", "waters")', 'Gardener'],
  ])('in Mermaid has a size, and is for light and dark: %j', async (code, word) => {
    const { svg, width, height } = await drawn(code)
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^]*<\/svg>$/)
    expect(svg).toContain(word)
    expect(svg).toContain('prefers-color-scheme:dark')
    expect(Math.min(width, height)).toBeGreaterThan(20)
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:|@import|href|<a\b|foreignObject|NaN/,
    )
  })

  test('with an arrow without spaces has two boxes', async () => {
    const { svg } = await drawn('graph TD\nA-->B')
    expect([...svg.matchAll(/<rect class="basic label-container"/g)]).toHaveLength(2)
  })

  test('is the same each time', async () => {
    const code = 'gitGraph\n commit\n commit'
    expect(await shared.draw(code, 'mermaid')).toEqual(await shared.draw(code, 'mermaid'))
  })

  test.each(['digraph { a -> b [label="go"] }', 'graph { a -- b }'])('in DOT: %s', async (code) => {
    const { svg, width, height } = await drawn(code, 'dot')
    expect(svg).toContain('prefers-color-scheme:dark')
    expect(height).toBeGreaterThan(width)
  })

  test.each([
    ['mermaid', 'graph TD\n A --> B\n style A fill:#f9f'],
    ['dot', 'digraph { a [style=filled fillcolor=yellow] }'],
  ])('in %s with colours of its own stays light, so that its words can be read', async (language, code) => {
    expect((await drawn(code, language)).svg).not.toContain('prefers-color-scheme')
  })

  test.each([
    ['mermaid', 'graph TD\nA-->', /Parse error on line/],
    ['mermaid', 'nonsense', /No diagram type detected/],
    ['mermaid', 'mindmap\n root', /No diagram type detected/],
    ['dot', 'digraph { a -> ', /syntax error/],
  ])('in %s with a mistake says what is wrong: %j', async (language, code, message) => {
    expect(await shared.draw(code, language)).toEqual({
      done: false,
      message: expect.stringMatching(message),
    })
  })

  test.each([
    ['dot', 'digraph { a [URL="javascript:alert(1)" label="<script>x</script>" image="http://x/y.png"] }'],
    ['mermaid', 'graph TD\n A["<script>alert(1)</script>"] --> B\n click A "javascript:alert(1)"'],
    [
      'mermaid',
      'graph TD\n A[x]\n classDef bad fill:#fff,background:url(https://evil.example)\n class A bad',
    ],
  ])('in %s that is hostile is drawn without what it wants: %s', async (language, code) => {
    const drawing = await shared.draw(code, language)
    const shown = drawing?.done ? drawing.svg : ''
    expect(shown).not.toMatch(/<script|<a\b|<image|javascript:[^<]*"|evil\.example[^<]*"|\son\w+=/)
  })
})

test('the first diagram has the time in which the process starts as well', async () => {
  const starting = new DrawingProcess({ ...settings, deadlineMs: 1, startMs: 60_000 })
  onTestFinished(() => starting.close())
  expect(await starting.draw('graph TD\nA-->B', 'mermaid')).toMatchObject({ done: true })
  expect(await starting.draw('graph TD\nA-->C', 'mermaid')).toMatchObject({ done: false })
})

test('a diagram that is not drawn in time is given up, and the next one is tried', async () => {
  const impatient = new DrawingProcess({ ...settings, deadlineMs: 1, startMs: 0 })
  onTestFinished(() => impatient.close())
  const late = { done: false, message: expect.stringMatching(/^It took longer than 0\.001 seconds/) }
  const both = ['graph TD\nA-->B', 'graph TD\nA-->C'].map((code) => impatient.draw(code, 'mermaid'))
  expect(await Promise.all(both)).toEqual([late, late])
})
