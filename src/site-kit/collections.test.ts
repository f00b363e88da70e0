import sharp from 'sharp'
import { expect, test } from 'vitest'
import { aKit } from '#test/site/a-kit'

const schema = `import { z } from 'zod'
export default z.object({
  title: z.string(),
  from: z.coerce.date(),
  salary: z.object({ least: z.number() }).optional(),
})`

const cook = `---
title: A cook
from: 2026-12-01
salary:
  least: 30000
---

Cook **well** {1 + 1}.

:::note
Bring a hat.
:::
`

const page = `import { collection, entry } from '@tilth/site'
export default async function Jobs() {
  const jobs = await collection('jobs')
  const cook = await entry('jobs', 'cook')
  const missing = await entry('jobs', 'king')
  return (
    <main>
      {jobs.map(({ slug, data }) => <p key={slug}>{slug + ': ' + data.title + ' ' + data.from.getFullYear()}</p>)}
      <cook.Content />
      {String(missing)}
    </main>
  )
}`

const files = {
  'content/jobs/schema.ts': schema,
  'content/jobs/cook.md': cook,
  'content/jobs/baker.json': '{ "title": "A baker", "from": "2027-01-01" }',
  'pages/jobs.tsx': page,
}

const htmlOf = (outcome: Awaited<ReturnType<Awaited<ReturnType<typeof aKit>>['render']>>): string =>
  outcome.done ? outcome.rendered.html : JSON.stringify(outcome)

test('server components read a collection as its schema returns it, with the Markdown of posts', async () => {
  const { outcome, render, change } = await aKit(files)
  expect(outcome).toMatchObject({
    done: true,
    manifest: { entries: { 'content/jobs/cook.md': expect.stringMatching(/^\d{4}-/) } },
  })
  const shown = await render('pages/jobs.tsx')
  const html = htmlOf(shown)
  expect(html).toContain('<p>baker: A baker 2027</p><p>cook: A cook 2026</p>')
  expect(html).toMatch(/<div class="prose" dir="auto"><p>Cook <strong>well<\/strong> \{1 \+ 1\}\.<\/p>/)
  expect(html).toMatch(/<aside[^>]*aside-note/)
  expect(html).toContain('undefined</main>')
  expect(shown).toMatchObject({
    rendered: { entries: ['content/jobs/baker.json', 'content/jobs/cook.md'] },
  })

  await change({ 'content/jobs/cook.md': cook.replace('A cook', 'A chef') })
  expect(htmlOf(await render('pages/jobs.tsx'))).toContain('cook: A chef 2026')
})

const cookFile = 'content/jobs/cook.md'
const bakerFile = 'content/jobs/baker.json'
const schemaFile = 'content/jobs/schema.ts'

test.each([
  ['a missing field', cookFile, '---\nfrom: 2026-12-01\n---\n', 1, /^title: .*string/],
  ['a wrong field', cookFile, cook.replace('2026-12-01', 'soon'), 3, /^from: .*date/],
  ['a field in a field', cookFile, cook.replace('30000', 'much'), 5, /^salary\.least: .*number/],
  ['a field of JSON', bakerFile, '{\n"title": "A",\n"from": "2026",\n"salary": 1\n}', 4, /^salary: .*object/],
  ['JSON that cannot be read', bakerFile, '{\n  "title": "A",\n}', 3, /^It cannot be read: /],
  ['front matter that cannot be read', cookFile, '---\ntitle: A\nfrom: [a\n---\n', 3, /cannot be read/],
  [
    'an entry of the same name',
    'content/jobs/cook.json',
    '{}',
    undefined,
    /same name as content\/jobs\/cook/,
  ],
  ['a module that is no schema', schemaFile, 'export default 7', 1, /no schema of zod/],
  ['a schema with a mistake', schemaFile, 'export default z.', 1, /^Expected identifier/],
  ['a schema that throws', schemaFile, `throw new Error('Ouch')`, 1, /^It cannot be loaded: Ouch$/],
])('%s keeps the folder from being built', async (_, file, text, line, message) => {
  const { outcome } = await aKit({ ...files, [file]: text })
  const blamed = message.source.startsWith('same name') ? cookFile : file
  expect(outcome).toMatchObject({
    done: false,
    problems: [{ file: blamed, message: expect.stringMatching(message) }],
  })
  expect(outcome.done ? undefined : outcome.problems[0]?.line).toBe(line)
})

test('a schema sees neither files nor settings, and entries that it refuses are refused until they are mended', async () => {
  const spying = `import { readFileSync } from 'node:fs'
const attempt = (work) => { try { return String(work()) } catch (problem) { return problem.code } }
export default { '~standard': { validate: () => ({ issues: [{ message: [
  attempt(() => readFileSync('/etc/hostname')), Object.keys(process.env).filter((name) => !/^NODE_/.test(name)),
].join(' ') }] }) } }`
  const { outcome, change } = await aKit({ ...files, 'content/jobs/schema.ts': spying })
  const refused = { done: false, problems: [{ message: 'ERR_ACCESS_DENIED ' }, {}] }
  expect(outcome).toMatchObject(refused)
  expect(await change({})).toMatchObject(refused)
  expect(await change({ 'content/jobs/schema.ts': schema })).toMatchObject({ done: true })
})

test('a collection without a schema has the fields as they are written, and an unknown one is named', async () => {
  const { render } = await aKit({
    'content/notes/a.md': '---\ntitle: Hello\n---\n',
    // of a project that is called "content"
    'content/posts/a.md': '---\ntitle: Hello\n---\n',
    'pages/a.tsx': `import { collection } from '@tilth/site'
export default async () => <p>{(await collection('notes'))[0].data.title}</p>`,
    'pages/b.tsx': `import { collection } from '@tilth/site'
export default async () => <p>{await collection('nots')}</p>`,
  })
  expect(htmlOf(await render('pages/a.tsx'))).toBe('<p>Hello</p>')
  expect(await render('pages/b.tsx')).toMatchObject({
    failure: { message: 'There is no collection "nots". Collections are the folders in content: notes.' },
  })
})

test('pictures beside an entry have addresses and sizes, and one that is not there yet keeps its words', async () => {
  const picture = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#a33' } })
    .png()
    .toBuffer()
  const { render, asset, change } = await aKit({
    ...files,
    [cookFile]: `${cook}\n![Roses](./red%20roses.png)\n\n![Tulips](tulips.png)\n`,
    'content/jobs/red roses.png': picture,
  })
  const html = htmlOf(await render('pages/jobs.tsx'))
  const [, src = '-', srcSet = ''] =
    /<img alt="Roses" src="([^"]+)" decoding="async" width="600" height="300" srcSet="([^"]+)" sizes="\(min-width: 46rem\)[^"]*"\/>/.exec(
      html,
    ) ?? [html]
  expect((await sharp(asset(src)).metadata()).width).toBe(600)
  expect(srcSet).toMatch(/^\/_tilth\/site\/\S+ 480w, \S+ 600w$/)
  expect(html).toMatch(/<img alt="Tulips" src="tulips\.png"/)

  await change({ 'content/jobs/tulips.png': picture })
  expect(htmlOf(await render('pages/jobs.tsx'))).toMatch(/<img alt="Tulips" src="\/_tilth\/site\/tulips-/)
})

test('an entry that is a draft is there in `tilth dev` only', async () => {
  const withDrafts = {
    'content/jobs/cook.md': '---\ntitle: A cook\n---\n',
    'content/jobs/guard.md': '---\ntitle: A guard\ndraft: true\n---\n',
    'content/jobs/baker.json': '{ "title": "A baker", "draft": true }',
    'pages/jobs.tsx': `import { collection, entry } from '@tilth/site'
export default async function Jobs() {
  const [jobs, guard] = [await collection('jobs'), await entry('jobs', 'guard')]
  return <p>{jobs.map(({ slug }) => slug).join()} {guard ? 'shown' : 'unknown'}</p>
}`,
  }
  const textIn = async (isDev: boolean) => {
    const { render } = await aKit(withDrafts, { isDev })
    const outcome = await render('pages/jobs.tsx')
    return outcome.done ? outcome.rendered.html.replaceAll('<!-- -->', '') : outcome.failure.message
  }
  expect(await textIn(false)).toBe('<p>cook unknown</p>')
  expect(await textIn(true)).toBe('<p>baker,cook,guard shown</p>')
})
