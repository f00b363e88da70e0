import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { cachedPagePolicy } from '#http/security-headers'
import { readMarkdown } from '#posts/markdown'
import { PostBody } from '#posts/PostBody'
import { accessibilityViolations } from '../studio/studio'
import { aVisitor, openBrowser, openTestSite } from './site-fixture'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const styles = readFileSync('src/posts/prose.css', 'utf8')

interface DiagramPage {
  /** Violations of a policy, of the frame as well. */
  forbidden?: string[]
  /** Whether the page is a preview, where no view is counted. */
  isPreview?: boolean
}

/** A page with a fence for each source, under the policy of all pages. */
async function aPageWith(
  sources: readonly string[],
  { forbidden = [], isPreview = false }: DiagramPage = {},
) {
  const site = await openTestSite()
  onTestFinished(() => site.close())
  const fences = sources.map((source) => `\`\`\`mermaid\n${source}\n\`\`\``).join('\n\nText.\n\n')
  const headers = { 'content-security-policy': cachedPagePolicy({}) }
  site.file('/prose.css', 'text/css', `:root { color-scheme: light dark }\n${styles}`)
  const html = renderToStaticMarkup(createElement(PostBody, { document: readMarkdown(fences) }))
  site.show('/', {
    title: 'Diagrams',
    head: '<link rel="stylesheet" href="/prose.css">',
    body: `<main><h1>Diagrams</h1>${html}</main>`,
    headers,
    ...(isPreview && { tag: '' }),
  })
  const visitor = await aVisitor(browser, { forbidden })
  const loaded: string[] = []
  visitor.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  await visitor.goto(site.address)
  return { visitor, loaded }
}

const pictures = (page: Page) => page.locator('img.diagram')

/** The SVG of a picture. */
const drawingIn = async (page: Page, at = 0): Promise<string> =>
  decodeURIComponent((await pictures(page).nth(at).getAttribute('src')) ?? '')

const textOf = (svg: string): string => svg.replaceAll(/<[^>]+>/g, '')

const flow = 'flowchart LR\n  ask[Ask] -->|a lot| answer(Answer)'

test('diagrams are drawn as pictures in the colours of the page, each with its source as its text', async () => {
  const sequence =
    'sequenceDiagram\n  accTitle: How a page is fetched\n  Browser->>Server: GET /\n  Server-->>Browser: 200'
  const { visitor } = await aPageWith([flow, sequence])
  await expect.poll(() => pictures(visitor).count()).toBe(2)
  for (const words of ['Ask', 'a lot', 'Answer']) expect(textOf(await drawingIn(visitor))).toContain(words)
  expect(await pictures(visitor).first().getAttribute('alt')).toBe(flow)
  expect(await pictures(visitor).last().getAttribute('alt')).toBe('How a page is fetched')
  const sizes = await pictures(visitor).evaluateAll((all) =>
    all.map((picture) => ({
      isDrawn: (picture as HTMLImageElement).naturalWidth > 50,
      isWithin: picture.getBoundingClientRect().right <= innerWidth,
    })),
  )
  expect(sizes).toEqual([
    { isDrawn: true, isWithin: true },
    { isDrawn: true, isWithin: true },
  ])
  expect(await accessibilityViolations(visitor)).toEqual([])
  const light = await drawingIn(visitor)
  expect(light).toContain('rgb(28,26,23)')
  await visitor.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => drawingIn(visitor)).not.toBe(light)
})

test('a page without a diagram loads nothing for one, and a diagram far below only near its place', async () => {
  const without = await aPageWith([])
  await without.visitor.waitForLoadState('networkidle')
  expect(without.loaded.filter((path) => path.includes('diagram'))).toEqual([])

  const far = await aPageWith([`flowchart TB\n${'%% a comment\n'.repeat(400)}  a --> b`, flow])
  await expect.poll(() => pictures(far.visitor).count()).toBeGreaterThan(0)
  expect(far.loaded.filter((path) => path.includes('diagram-frame.js'))).toHaveLength(1)
})

test('what cannot be drawn stays code; who writes it reads why', async () => {
  const broken = 'flowchart LR\n  a --> --> b'
  const published = await aPageWith([broken, flow])
  await expect.poll(() => pictures(published.visitor).count()).toBe(1)
  await published.visitor.getByText('a --> --> b').waitFor()
  expect(await published.visitor.locator('.diagram-problem').count()).toBe(0)

  const preview = await aPageWith([broken], { isPreview: true })
  await preview.visitor
    .locator('.diagram-problem')
    .getByText(/Parse error on line 2/)
    .waitFor()
})

test.each([
  [
    'a script in a label',
    'flowchart LR\n  a["<img src=x onerror=alert(1)><script>alert(1)</script>"] --> b',
    // the frame's own policy holds as well
    ['script-src-attr forbids inline'],
  ],
  [
    'a link that runs',
    'flowchart LR\n  a --> b\n  click a "javascript:alert(1)"\n  click b call alert(1)',
    [],
  ],
  [
    'a directive that loosens',
    '%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": "} * { background: url(https://evil.example/a) }"}}%%\nflowchart LR\n  a["<iframe src=javascript:alert(1)>"] --> b\n  click a call alert(1)',
    [],
  ],
  ['a style that loads', 'flowchart LR\n  a --> b\n  style a fill:url(https://evil.example/a)', []],
])('%s does nothing to the page', async (_, source, forbidden) => {
  const { visitor, loaded } = await aPageWith([source, flow], { forbidden })
  let isAlerted = false
  visitor.on('dialog', (dialog) => {
    isAlerted = true
    void dialog.dismiss()
  })
  await visitor.getByAltText(flow, { exact: true }).waitFor()
  await visitor.waitForLoadState('networkidle')
  expect(isAlerted).toBe(false)
  expect(loaded.filter((path) => path.includes('evil'))).toEqual([])
  expect(await visitor.locator('.prose :is(script, iframe, svg)').count()).toBe(0)
})
