import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { aKit, usualVisit as visit } from '#test/site/a-kit'

afterEach(() => void vi.unstubAllEnvs())

const root = resolve(import.meta.dirname, '../..')

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
      tags: [],
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
  expect(written['.css']).toContain(`.${ofPage}{color:green`)
  expect(written['.css']).toContain(`.${ofIsland}{color:red`)
  expect(written['.js']).toContain(ofIsland)
})

test.each([
  ['', { tags: [], revalidate: undefined }],
  ['export const revalidate = 60', { tags: [], revalidate: 60 }],
  ['export const revalidate = false', { tags: [], revalidate: 31_536_000 }],
  ['export const revalidate = 0', { tags: [], revalidate: 0 }],
])('a page says how long it may be kept: %j', async (line, expected) => {
  const { render } = await aKit({ 'pages/a.tsx': `${line}\nexport default () => <p>a</p>` })
  expect(await render('pages/a.tsx')).toMatchObject({ done: true, rendered: expected })
})

test('a page has the tags and the shortest time of what it fetches', async () => {
  const { render } = await aKit({
    'pages/a.tsx': `import { cacheTag } from '@tilth/site'
export const revalidate = false
const load = (options) => fetch('data:text/plain,hello', options).then((answer) => answer.text())
const Jobs = async () => <p>{await load({ next: { revalidate: 90, tags: ['jobs', 'all'] } })}</p>
const Team = async () => <p>{await load({ next: { revalidate: 30 } })}</p>
export default function A() {
  cacheTag('front', 'all')
  return <main><Jobs /><Team /></main>
}`,
    'pages/b.tsx': `export default async () => <p>{await (await fetch('data:,b', { cache: 'no-store' })).text()}</p>`,
  })
  expect(await render('pages/a.tsx')).toMatchObject({
    rendered: {
      html: '<main><p>hello</p><p>hello</p></main>',
      tags: ['front', 'all', 'jobs'],
      revalidate: 30,
    },
  })
  expect(await render('pages/b.tsx')).toMatchObject({ rendered: { html: '<p>b</p>', revalidate: 0 } })
})

test.each([
  ["export const revalidate = 'daily'", /^revalidate is "daily"\. Use a number of seconds, or false\.$/],
  ["import { cacheTag } from '@tilth/site'\ncacheTag('/jobs')", /^"\/jobs" is not a tag/],
])('a mistake in what a page says of its time is told: %j', async (lines, message) => {
  const { render } = await aKit({ 'pages/a.tsx': `${lines}\nexport default () => <p>a</p>` })
  expect(await render('pages/a.tsx')).toMatchObject({
    done: false,
    failure: { message: expect.stringMatching(message) },
  })
})

test.each([false, true])(
  'server components get settings of the site, which are in no script of a browser (dev: %s)',
  async (isDev) => {
    vi.stubEnv('TILTH_SITE_TOKEN', 'token-of-the-environment')
    const { render, assets } = await aKit(
      {
        'components/Open.tsx': `'use client'
import { setting } from '@tilth/site'
export default ({ isWrong }) => <b>{isWrong ? setting('TOKEN') : 'open'} {String(typeof process === 'object' && process.env.TILTH_SITE_TOKEN)}</b>`,
        'pages/a.tsx': `import { setting } from '@tilth/site'
import Open from '../components/Open'
export default () => <p>{setting('TOKEN').length}<Open /></p>`,
        'pages/b.tsx': `import Open from '../components/Open'\nexport default () => <Open isWrong />`,
        'pages/c.tsx': `import { setting } from '@tilth/site'\nexport default () => setting('OTHER')`,
      },
      { isDev, settings: { TOKEN: 'token-of-the-site' } },
    )
    const rendered = await render('pages/a.tsx')
    const html = rendered.done ? rendered.rendered.html : JSON.stringify(rendered)
    expect(html).toMatch(/^<p>17.*<b>open<!----> <!---->undefined<\/b>/)
    expect(await render('pages/b.tsx')).toMatchObject({
      done: false,
      failure: { message: expect.stringMatching(/^setting\(\) was called in a client component/) },
    })
    expect(await render('pages/c.tsx')).toMatchObject({
      done: false,
      failure: { message: 'TILTH_SITE_OTHER is not set.' },
    })
    const { '.js': scripts = '' } = assets()
    expect(scripts).toContain('open')
    expect(scripts).not.toMatch(/token-of/)
  },
)

describe('connections of pages', () => {
  const closed = ['127.0.0.0/8', '::1/128']
  const open = { reachesInternet: true, hosts: [], networks: [], closed }

  async function aSource() {
    const server = createServer((_, response) => void response.end('data'))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => void server.close())
    // a server that listens on a port has an address of this form
    return server.address() as AddressInfo
  }

  const ways: Record<string, string> = {
    fetch: 'const load = async (url) => await (await fetch(url)).text()',
    'node:http': `import { get } from 'node:http'
const load = (url) => new Promise((resolve, reject) => get(url, (answer) => answer.on('data', (part) => resolve(String(part)))).on('error', reject))`,
    'node:net': `import { connect } from 'node:net'
const load = (url) => new Promise((resolve, reject) => {
  const { hostname, port } = new URL(url)
  connect(Number(port), hostname, () => resolve('data')).on('error', reject)
})`,
  }

  test.each([
    ['127.0.0.1', open, undefined],
    ['localhost', open, undefined],
    ['127.0.0.1', { ...open, networks: ['127.0.0.1/32'] }, 'data'],
    ['localhost', { ...open, networks: ['127.0.0.0/8', '::1/128'] }, 'data'],
    ['localhost', { ...open, hosts: [{ host: 'localhost' }] }, 'data'],
    ['localhost', { ...open, hosts: [{ host: 'localhost', port: 1 }] }, undefined],
    ['127.0.0.1', { ...open, reachesInternet: false, closed: [] }, undefined],
    ['127.0.0.1', { ...open, closed: [] }, 'data'],
  ])('reach %s by the rules %j: %s', async (host, network, expected) => {
    const { port } = await aSource()
    const pages = Object.entries(ways).map(([name, load]) => [
      `pages/${name.replace(':', '-')}.tsx`,
      `${load}\nexport default async () => <p>{await load('http://${host}:${port}/')}</p>`,
    ])
    const { render } = await aKit(Object.fromEntries(pages), { network })
    for (const [file = ''] of pages)
      expect(await render(file), file).toMatchObject(
        expected === undefined
          ? {
              done: false,
              failure: { message: expect.stringContaining(`not connect to ${host}. The operator`) },
            }
          : { done: true, rendered: { html: `<p>${expected}</p>` } },
      )
  })

  test('never reach a socket file, nor anything by datagrams', async () => {
    const { render } = await aKit({
      'pages/a.tsx': `import { connect } from 'node:net'
const load = () => new Promise((resolve, reject) => connect('/tmp/pages.sock').on('error', reject))
export default async () => <p>{await load()}</p>`,
      'pages/b.tsx': `import { createSocket } from 'node:dgram'
export default () => <p>{String(createSocket('udp4').send('a', 53, '127.0.0.1'))}</p>`,
    })
    for (const [file, message] of [
      ['pages/a.tsx', 'Pages of the site may not connect to socket files.'],
      ['pages/b.tsx', 'Pages of the site may not send datagrams.'],
    ] as const)
      expect(await render(file)).toMatchObject({ done: false, failure: { message } })
  })
})

const exits = {
  'components/Job.tsx': `import { notFound } from '@tilth/site'
export default async function Job({ slug }) {
  await new Promise((resolve) => setTimeout(resolve, 5))
  if (slug !== 'gardener') notFound()
  return <h1>Gardener</h1>
}`,
  'pages/[slug].tsx': `import { Suspense } from 'react'
import Job from '../components/Job'
export default ({ params }) => <main><Suspense fallback="…"><Job slug={params.slug} /></Suspense></main>`,
  'pages/old.tsx': `import { redirect, useFlag } from '@tilth/site'
export default () => redirect(useFlag('plan') === 'b' ? '/b?x=ä' : '/a', { permanent: true })`,
  'pages/about.tsx': `import { notFound } from '@tilth/site'
export const metadata = ({ params }) => params.slug ? { title: 'A' } : notFound()
export default () => <p>about</p>`,
  'layouts/default.tsx': "export { default } from '../pages/old'",
}

test('a page answers with 404 or a redirect, from components inside it as well', async () => {
  const { render } = await aKit(exits)
  const of = (slug: string) => render('pages/[slug].tsx', { props: { params: { slug } } })
  expect(await of('gardener')).toMatchObject({ rendered: { html: expect.stringContaining('Gardener') } })
  expect(await of('astronaut')).toMatchObject({ done: true, rendered: { html: '', exit: { status: 404 } } })
  expect(await render('pages/about.tsx', { props: { params: {} } })).toMatchObject({
    rendered: { exit: { status: 404 } },
  })
  expect(await render('pages/old.tsx')).toMatchObject({
    rendered: { exit: { status: 308, location: '/b?x=%C3%A4' }, uses: ['plan'] },
  })
  expect(await render('layouts/default.tsx')).toMatchObject({
    done: false,
    failure: { message: 'redirect() works in server components of the folder pages/ only.' },
  })
})

test.each([
  ['/blog', '/blog'],
  ['https://example.com/a', 'https://example.com/a'],
  ['/a\r\nset-cookie: b', '/aset-cookie:%20b'],
  ['//example.com', undefined],
  ['/\\example.com', undefined],
  ['/..//example.com', undefined],
  ['javascript:alert(1)', undefined],
  ['blog', undefined],
])('a page that redirects to %j leads to %j', async (to, location) => {
  const { render } = await aKit({
    'pages/a.tsx': `import { redirect } from '@tilth/site'\nexport default () => redirect(${JSON.stringify(to)})`,
  })
  expect(await render('pages/a.tsx')).toMatchObject(
    location === undefined
      ? { done: false, failure: { message: expect.stringContaining('write a path such as') } }
      : { done: true, rendered: { exit: { status: 307, location } } },
  )
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

const brokenSite = {
  'components/Price.tsx': `'use client'
import { useState } from 'react'
export default function Price() {
  const [seats] = useState(1)
  throw new Error(\`No price for \${seats}\`)
}`,
  'pages/a.tsx': `import Price from '../components/Price'
const Section = ({ children }) => <div>{children}</div>
export default function Page() { return <Section><Price /></Section> }`,
}

test('a build for development says between which components an error was thrown', async () => {
  const { render } = await aKit(brokenSite, { isDev: true })
  expect(await render('pages/a.tsx')).toEqual({
    done: false,
    failure: {
      file: 'components/Price.tsx',
      line: 5,
      message: 'No price for 1',
      components: ['Price', 'Section', 'Page'],
    },
  })
})

test.each([
  ['pages/a.tsx', 'export default () => (\n  <button onClick={() => 1} />\n)', 2],
  ['pages/a.tsx', "import { useState } from 'react'\nexport default () => useState(1)[0]", 2],
])('a build for development refuses what needs a browser as well: %s %j', async (file, source, line) => {
  const { render } = await aKit({ [file]: source }, { isDev: true })
  const message = expect.stringMatching(/works in client components/)
  expect(await render(file)).toMatchObject({ done: false, failure: { file, line, message } })
})

test('a build for production has nothing of one for development', async () => {
  const { render, assets } = await aKit(brokenSite)
  expect(await render('pages/a.tsx')).toEqual({
    done: false,
    failure: { file: 'components/Price.tsx', line: 5, message: 'No price for 1' },
  })
  const { '.js': script } = assets()
  expect(script).not.toMatch(/jsxDEV|react\.development|sourceMappingURL/)
  const forDevelopment = (await aKit(brokenSite, { isDev: true })).assets()
  expect(forDevelopment['.js']).toMatch(/react\.development/)
})

test('a later build has the files as they are then: pages, islands, styles and names', async () => {
  const { render, assets, change } = await aKit(
    { 'components/Counter.tsx': counter, 'pages/a.tsx': 'export default () => <p>one</p>' },
    { isDev: true },
  )
  expect(await render('pages/a.tsx')).toMatchObject({ rendered: { html: '<p>one</p>' } })
  const broken = await change({ 'pages/a.tsx': 'export default () => <p>' })
  expect(broken).toMatchObject({ done: false, problems: [{ file: 'pages/a.tsx', line: 1 }] })
  await change({
    'components/Counter.tsx': counter.replace('<button>', '<button>New '),
    'components/Open.tsx': "'use client'\nexport default () => <b>open</b>",
    'pages/a.tsx': `import Counter from '../components/Counter'
import Open from '../components/Open'
export default () => <p><Counter start={3} /><Open /></p>`,
    'theme/team.css': '.two { color: red }',
  })
  const second = await render('pages/a.tsx')
  const html = second.done ? second.rendered.html : JSON.stringify(second)
  expect(html).toMatch(/<button>New <!---->3/)
  expect(html).toMatch(/data-module="\/_tilth\/site\/Open-\w+\.js".*<b>open<\/b>/)
  expect(assets()['.css']).toContain('.two')
  await change({ 'pages/b.tsx': 'export default () => <p>b</p>' })
  expect(await render('pages/b.tsx')).toMatchObject({ rendered: { html: '<p>b</p>' } })
})

const withCounter = {
  'components/Counter.tsx': counter,
  'pages/a.tsx':
    "import Counter from '../components/Counter'\nexport default () => <p><Counter start={1} /></p>",
}

test('browsers keep React when a component changes, and are told with the page what its script loads', async () => {
  const { outcome, change } = await aKit(withCounter)
  const second = await change({ 'components/Counter.tsx': counter.replace('<button>', '<button>New ') })
  const [first, later] = [outcome, second].map((built) => (built.done ? built.manifest.scripts : {}))
  const script = expect.stringMatching(/^\/_tilth\/site\/Counter-\w+\.js$/)
  const react = expect.stringMatching(/^\/_tilth\/site\/react-\w+\.js$/)
  expect(Object.entries(first ?? {})).toEqual([[script, [react]]])
  expect(Object.values(later ?? {})).toEqual(Object.values(first ?? {}))
  expect(Object.keys(later ?? {})).not.toEqual(Object.keys(first ?? {}))
})

test('a part that several components share loads React before it runs', async () => {
  const { outcome, asset } = await aKit({
    ...withCounter,
    'components/Other.tsx': counter.replace('<button>', '<button>Other '),
    'pages/a.tsx': `import Counter from '../components/Counter'
import Other from '../components/Other'
export default () => <p><Counter start={1} /><Other start={2} /></p>`,
  })
  const loaded = outcome.done ? Object.values(outcome.manifest.scripts) : []
  expect(loaded).toHaveLength(2)
  const [[part = '', react = ''] = []] = loaded
  expect(String(asset(part))).toContain(`import"${react}"`)
})

test('client components run on Preact in browsers where the folder says so', async () => {
  const settings = { 'package.json': '{ "tilth": { "islands": "preact" } }' }
  const { render, assets } = await aKit({ ...withCounter, ...settings })
  expect(brotliCompressSync(assets()['.js'] ?? '').length).toBeLessThan(9000)
  expect(await render('pages/a.tsx')).toMatchObject({
    rendered: { html: expect.stringMatching(/<button>1<!----> /) },
  })
  const { outcome } = await aKit({ ...withCounter, 'package.json': '{\n "tilth": { "islands": "vue" }\n}' })
  expect(outcome).toEqual({
    done: false,
    problems: [{ file: 'package.json', line: 2, message: expect.stringMatching(/^tilth\.islands: /) }],
  })
})

test('in development, a process that has React waits for the next build', async () => {
  const { render, change } = await aKit({}, { isDev: true })
  let edit = 0
  // the time at which the process of a rendering started
  const startedBeforeBuild = async (): Promise<boolean> => {
    const builtAt = performance.timeOrigin + performance.now()
    await change({
      'pages/a.tsx': `export default () => <p title="${++edit}">{performance.timeOrigin}</p>`,
    })
    const outcome = await render('pages/a.tsx')
    return outcome.done && Number(/\d+\.?\d*(?=<)/.exec(outcome.rendered.html)?.[0]) < builtAt
  }
  await expect.poll(startedBeforeBuild, { interval: 300 }).toBe(true)
})

test('the files of the documentation are built and rendered as they are written', async () => {
  const documentation = readFileSync(join(root, 'docs/site-kit.md'), 'utf8')
  const blocks = documentation.matchAll(/^```(?:tsx|json|css)\n([^]*?)^```$/gm)
  const files = Array.from(blocks, ([, text = '']) => [/^\/\/ site\/(\S+)\n/.exec(text)?.[1], text] as const)
  const named = Object.fromEntries(files.flatMap(([path, text]) => (path ? [[path, text]] : [])))
  expect(Object.keys(named)).toEqual([
    'pages/pricing.tsx',
    'components/Price.tsx',
    'pages/recipes/[slug].tsx',
    'pages/open-jobs.tsx',
    'pages/waiting-list.tsx',
    'layouts/post.tsx',
    'layouts/error.tsx',
    'pages/plans/[plan].tsx',
    'pages/jobs/index.tsx',
    'pages/jobs/[slug].tsx',
  ])
  const [settings = '', tokens = ''] = files.flatMap(([, text]) => (text.startsWith('{') ? [text] : []))
  const json = { 'package.json': settings, 'theme/theme.json': tokens }
  const { outcome, render } = await aKit({ ...named, ...json })
  expect(outcome).toMatchObject({
    done: true,
    manifest: {
      backgrounds: { light: '#fdfcfa', dark: '#141311' },
      layouts: { post: 'layouts/post.tsx', error: 'layouts/error.tsx' },
    },
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

test('a page names its addresses and its metadata without being rendered', async () => {
  const { outcome, render } = await aKit({
    'pages/jobs/[slug].tsx': `import { title } from '../../lib/title'
export const generateStaticParams = async () => [{ slug: 'cook' }]
export const metadata = ({ params }) => ({ title: title(params.slug), updatedAt: '2026-03-01' })
export default () => { throw new Error('It is rendered') }`,
    'lib/title.ts': 'export const title = (slug) => `Job: ${slug}`',
    'pages/wrong/[slug].tsx': `export const generateStaticParams = () => ['cook']\nexport default () => null`,
  })
  const changedAt = expect.stringMatching(/^\d{4}-.*Z$/)
  expect(outcome).toMatchObject({ manifest: { pages: [{ address: '/jobs/[slug]', changedAt }, {}] } })
  const file = 'pages/jobs/[slug].tsx'
  expect(await render(file, { only: 'params' })).toMatchObject({ rendered: { params: [{ slug: 'cook' }] } })
  expect(await render(file, { only: 'metadata', props: { params: { slug: 'cook' } } })).toMatchObject({
    rendered: { html: '', metadata: { title: 'Job: cook', updatedAt: new Date('2026-03-01') } },
  })
  expect(await render('pages/wrong/[slug].tsx', { only: 'params' })).toMatchObject({
    failure: {
      message: expect.stringMatching(/^generateStaticParams of pages\/wrong.* has to return a list/),
    },
  })
})

test('the age of a page is that of the newest file of the folder that it is made of', async () => {
  const { change } = await aKit({
    'pages/a.tsx': "import { b } from '../lib/b'\nexport default () => <p>{b}</p>",
    'lib/b.ts': "export const b = 'b'",
    'pages/c.tsx': `import Open from '../components/Open'\nexport default () => <Open />`,
    'components/Open.tsx': `'use client'\nimport { d } from '../lib/d'\nexport default () => <b>{d}</b>`,
    'lib/d.ts': "export const d = 'd'",
  })
  const timesAfter = async (files: Record<string, string>): Promise<string[]> => {
    const outcome = await change(files)
    return outcome.done ? outcome.manifest.pages.map(({ changedAt = '' }) => changedAt) : []
  }
  const [a = '', c = ''] = await timesAfter({})
  const [a2 = '', c2 = ''] = await timesAfter({ 'lib/b.ts': "export const b = 'B'" })
  expect([a2 > a, c2]).toEqual([true, c])
  const [a3 = '', c3 = ''] = await timesAfter({ 'lib/d.ts': "export const d = 'D'" })
  expect([a3, c3 > c]).toEqual([a2, true])
})

test.each([
  // the metadata of a page, what becomes of it
  [`{ title: 'a'.repeat(400) }`, { rendered: { metadata: { title: 'a'.repeat(300) } } }],
  [
    '{ picture: 7 }',
    { failure: { message: expect.stringMatching(/^It cannot be shown, .*metadata\.picture: /) } },
  ],
])('a page with the metadata %s is answered at once', async (metadata, expected) => {
  const { render } = await aKit({
    'pages/a.tsx': `export const metadata = ${metadata}\nexport default () => <p>A</p>`,
  })
  expect(await render('pages/a.tsx')).toMatchObject(expected)
})

test('a page that is a draft is missing except in `tilth dev`, for lists as well', async () => {
  const files = {
    'pages/plans.tsx':
      "export const metadata = { title: 'Plans', draft: true }\nexport default () => <p>plans</p>",
  }
  const { render } = await aKit(files)
  for (const only of [undefined, 'metadata'] as const)
    expect(await render('pages/plans.tsx', { only })).toMatchObject({
      rendered: { html: '', exit: { status: 404 }, metadata: {} },
    })
  const previewed = { path: '/plans', decisions: {}, payloads: {}, withheld: [], isPreview: true }
  expect(await render('pages/plans.tsx', { visit: previewed })).toMatchObject({
    rendered: { html: '<p>plans</p>', metadata: { draft: true } },
  })
  const inDev = await aKit(files, { isDev: true })
  expect(await inDev.render('pages/plans.tsx')).toMatchObject({ rendered: { html: '<p>plans</p>' } })
})
