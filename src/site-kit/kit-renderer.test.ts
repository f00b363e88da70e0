import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildKit } from './internal/build/build-kit'
import { KitRenderer } from './kit-renderer'
import type { RenderInput } from './protocol'

const root = resolve(import.meta.dirname, '../..')

/** Builds these files and renders them. */
async function aKit(files: Record<string, string>) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'tilth-kit-')))
  onTestFinished(() => rmSync(base, { recursive: true }))
  const folder = join(base, 'site')
  for (const [path, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), contents)
  }
  const output = join(base, 'out')
  const outcome = await buildKit({
    folder,
    output,
    runtime: join(root, 'src/site-kit/internal/runtime'),
    packages: join(root, 'node_modules'),
  })
  const renderer = new KitRenderer({ onTrouble: (problem) => expect(problem).toBeUndefined() })
  onTestFinished(() => renderer.close())
  if (outcome.done) renderer.use({ output, manifest: outcome.manifest, problems: [], isDev: false })
  const render = (file: string, input: Partial<RenderInput> = {}, questions = {}) =>
    renderer.render({ file, prefix: 'p', props: {}, parts: [], visit, ...input }, questions)
  /** The text of all assets of a kind. */
  const assets = (): Record<string, string> => {
    const texts: Record<string, string> = {}
    for (const name of readdirSync(join(output, 'assets'))) {
      const kind = extname(name)
      texts[kind] = (texts[kind] ?? '') + readFileSync(join(output, 'assets', name), 'utf8')
    }
    return texts
  }
  return { outcome, render, assets }
}

const visit = { path: '/', decisions: { plan: 'b' }, payloads: {}, withheld: ['secret'] }

const counter = `'use client'
import { useState } from 'react'
import { useFlag } from '@tilth/site'
export default function Counter({ start, children }) {
  const [count] = useState(start)
  return <button>{count} {String(useFlag('plan'))} {String(useFlag('secret'))} {children}</button>
}`

test('a server component is rendered with what it asks for, and names the decisions that it used', async () => {
  const { render } = await aKit({
    'pages/a.tsx': `import { posts, visit } from '@tilth/site'
export const metadata = { title: 'A' }
export default async function A() {
  const [first] = await posts({ count: 1 })
  return <p>{first.title} {String(visit().flag('plan'))}</p>
}`,
  })
  const requests: unknown[] = []
  const questions = { posts: (input: unknown) => (requests.push(input), [{ title: 'Newest' }]) }
  expect(await render('pages/a.tsx', {}, questions)).toEqual({
    done: true,
    rendered: {
      html: '<p>Newest<!-- --> <!-- -->b</p>',
      holes: [],
      uses: ['plan'],
      metadata: { title: 'A' },
    },
  })
  expect(requests).toEqual([{ count: 1 }])
})

test('a picture of Markdown in MDX is shown as the page knows it, one of a component as it is written', async () => {
  const { render } = await aKit({
    'posts/a.mdx': '---\ntitle: A\n---\n\n![Roses](roses.png)\n\n![Far](/far.png)\n\n<img src="roses.png" />',
  })
  const pictures = { 'roses.png': { src: '/_tilth/images/a.png', width: 20, height: 10 } }
  const outcome = await render('posts/a.mdx', { props: { pictures } })
  const html = outcome.done ? outcome.rendered.html : JSON.stringify(outcome)
  expect(html).toMatch(/<img alt="Roses"[^>]* src="\/_tilth\/images\/a\.png"[^>]* width="20" height="10"/)
  expect(html).toMatch(/<img alt="Far"[^>]* src="\/far\.png"/)
  expect(html).toContain('<img src="roses.png"/>')
})

test('classes of a style module have the same names on the server, in the browser and in the style sheet', async () => {
  const { outcome, render, assets } = await aKit({
    'components/Open.tsx': `'use client'\nimport styles from './button.module.css'
export default function Open() { return <b className={styles.button}>open</b> }`,
    'components/button.module.css': '.button { color: red } .is-on { color: blue }',
    'other/button.module.css': '.button { color: green }',
    'pages/a.tsx': `import Open from '../components/Open'
import styles from '../other/button.module.css'
export default function A() { return <p className={styles.button}><Open /></p> }`,
  })
  expect(outcome).toMatchObject({ done: true })
  const rendered = await render('pages/a.tsx')
  const html = rendered.done ? rendered.rendered.html : JSON.stringify(rendered)
  const [, ofPage = '-', ofIsland = '-'] = /<p class="([^"]+)">.*<b class="([^"]+)">/s.exec(html) ?? []
  expect(ofPage).not.toBe(ofIsland)
  const written = assets()
  expect(written['.css']).toContain(`.${ofPage} {\n  color: green`)
  expect(written['.css']).toContain(`.${ofIsland} {\n  color: red`)
  expect(written['.js']).toContain(ofIsland)
})

test('a client component becomes an island with its props, its decisions and what it holds', async () => {
  const { render } = await aKit({
    'components/Counter.tsx': counter,
    'pages/a.tsx': `import Counter from '../components/Counter'
export default () => <Counter start={3}><b>kid</b></Counter>`,
  })
  const outcome = await render('pages/a.tsx')
  const html = outcome.done ? outcome.rendered.html : ''
  expect(html).toContain(
    'data-props="{&quot;start&quot;:3,&quot;children&quot;:{&quot;$slot&quot;:&quot;p2&quot;}}"',
  )
  // a decision that browsers do not get is off in what they render again
  expect(html).toContain('data-flags="{&quot;plan&quot;:&quot;b&quot;,&quot;secret&quot;:false}"')
  expect(html).toContain('<tilth-slot data-slot="p2"><b>kid</b></tilth-slot>')
  expect(outcome).toMatchObject({ rendered: { uses: ['plan'] } })
})

test('a layout leaves holes for what Tilth renders, and so do blocks', async () => {
  const { render } = await aKit({
    'layouts/default.tsx': `import { Survey } from '@tilth/site'
export default ({ children }) => <div>{children}<Survey of="Seats" /></div>`,
  })
  expect(await render('layouts/default.tsx', { parts: ['children'] })).toMatchObject({
    rendered: {
      html: '<div><tilth-hole data-id="p-children"></tilth-hole><tilth-hole data-id="p1"></tilth-hole></div>',
      holes: [
        { id: 'p-children', name: 'children' },
        { id: 'p1', name: 'survey', attributes: { survey: 'Seats' } },
      ],
    },
  })
})

test.each([
  [
    `import { useState } from 'react'\nexport default () => useState(1)[0]`,
    2,
    /^useState works in client components/,
  ],
  [`export default () => (\n  <button onClick={() => 1} />\n)`, 2, /^<button onClick=\{…\}> works in client/],
  [`export default () => {\n  throw new Error('Ouch')\n}`, 2, /^Ouch$/],
])('a mistake in a server component is told with its line: %j', async (source, line, message) => {
  const { render } = await aKit({ 'pages/a.tsx': source })
  expect(await render('pages/a.tsx')).toEqual({
    done: false,
    failure: { file: 'pages/a.tsx', line, message: expect.stringMatching(message) },
  })
})

test('modules see neither files nor settings nor other programs', async () => {
  const { render } = await aKit({
    'pages/a.tsx': `import { readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
const attempt = (work) => { try { return String(work()) } catch (problem) { return problem.code } }
export default () => (
  <p>{[attempt(() => readFileSync('/etc/hostname')), attempt(() => execFileSync('/bin/ls')), Object.keys(process.env).filter((name) => !/^NODE_/.test(name))].join(' ')}</p>
)`,
  })
  expect(await render('pages/a.tsx')).toMatchObject({
    rendered: { html: '<p>ERR_ACCESS_DENIED ERR_ACCESS_DENIED </p>' },
  })
})

test('a module that never ends is stopped, and what was under way beside it is rendered', async () => {
  const { render } = await aKit({
    'pages/endless.tsx': 'export default () => { for (;;) {} }',
    'pages/slow.tsx': `export default async () => {
  await new Promise((resolve) => setTimeout(resolve, 20))
  return <p>slow</p>
}`,
  })
  const [slow, endless] = await Promise.all([render('pages/slow.tsx'), render('pages/endless.tsx')])
  expect(slow).toMatchObject({ done: true })
  expect(endless).toMatchObject({ done: false, failure: { message: expect.stringMatching(/never ends/) } })
  expect(await render('pages/endless.tsx')).toMatchObject({ done: false })
  expect(await render('pages/slow.tsx')).toMatchObject({ done: true })
})

test.each([
  ['pages/a.tsx', 'export default () => <p>', { file: 'pages/a.tsx', line: 1 }],
  ['posts/a.mdx', '---\ntitle: A\n---\n\n<Chart>', { file: 'posts/a.mdx', line: 5 }],
  ['pages/blog/a.tsx', 'export default () => null', { file: 'pages/blog/a.tsx' }],
])('a mistake in %s keeps the folder from being built', async (path, source, problem) => {
  const { outcome } = await aKit({ [path]: source })
  expect(outcome).toMatchObject({ done: false, problems: [problem] })
})

test('the files of the documentation are built and rendered as they are written', async () => {
  const documentation = readFileSync(join(root, 'docs/site-kit.md'), 'utf8')
  const blocks = documentation.matchAll(/^```(?:tsx|json|css)\n([^]*?)^```$/gm)
  const files = Array.from(blocks, ([, text = '']) => [/^\/\/ site\/(\S+)\n/.exec(text)?.[1], text] as const)
  const named = Object.fromEntries(files.flatMap(([path, text]) => (path ? [[path, text]] : [])))
  expect(Object.keys(named)).toEqual(['pages/pricing.tsx', 'components/Price.tsx', 'layouts/post.tsx'])
  const tokens = files.find(([, text]) => text.startsWith('{'))?.[1] ?? ''
  const { outcome, render } = await aKit({ ...named, 'theme/theme.json': tokens })
  expect(outcome).toMatchObject({
    done: true,
    manifest: { backgrounds: { light: '#fdfcfa', dark: '#141311' }, layouts: { post: 'layouts/post.tsx' } },
  })
  const page = await render('pages/pricing.tsx', {
    props: { site: { name: 'Acme' } },
    visit: { ...visit, decisions: { pricing: 'yearly' } },
  })
  const html = page.done ? page.rendered.html : JSON.stringify(page)
  expect(html).toMatch(
    /<h1>What (?:<!-- -->)?Acme(?:<!-- -->)? costs<\/h1>.*Paid by the year\..*<button[^>]*>90</s,
  )
})
