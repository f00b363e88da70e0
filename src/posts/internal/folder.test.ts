import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test, vi } from 'vitest'
import { patienceMs } from '#test/running/patience'
import { PostFolder } from './folder'
import type { Post } from '../post'

const projects: Record<string, { id: number; timeZone: string }> = {
  '': { id: 1, timeZone: 'Europe/Berlin' },
  acme: { id: 1, timeZone: 'Europe/Berlin' },
  other: { id: 2, timeZone: 'UTC' },
}

type Files = Record<string, string | Uint8Array>

async function aFolder(files: Files) {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-site-'))
  const write = (more: Files) => {
    for (const [path, contents] of Object.entries(more)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), contents)
    }
  }
  write(files)
  const posts = await PostFolder.open({
    folder,
    projectNamed: (slug) => projects[slug ?? ''],
    keepImage: async (bytes) => ({
      done: true,
      kept: { file: `${bytes.length}.png`, width: 1200, height: 800, bytes: bytes.length },
    }),
    onTrouble: (problem) => expect(problem).toBeUndefined(),
  })
  onTestFinished(async () => {
    await posts.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, posts, write }
}

const hello = '---\ntitle: Hello\ndate: 2026-03-02\n---\nThe first.'

test('files are posts and pages, of the project whose folder they are in', async () => {
  const { posts } = await aFolder({
    'posts/2026-03-02-hello.md': '# Hello\n\nThe first.',
    'pages/docs/start.md': '---\ntitle: Start\n---\nBegin here.',
    'pages/index.md': '---\ntitle: Home\n---\n',
    'other/posts/theirs.md': hello,
    'unknown/posts/nobodys.md': hello,
    'posts/.draft.md': hello,
    'README.md': 'no post',
  })
  const told = (projectId: number) =>
    posts.posts(projectId).map(({ id, kind, slug, title }) => ({ id, kind, slug, title }))
  expect(told(1)).toEqual([
    { id: 'file:pages/docs/start.md', kind: 'page', slug: 'docs/start', title: 'Start' },
    { id: 'file:pages/index.md', kind: 'page', slug: '', title: 'Home' },
    { id: 'file:posts/2026-03-02-hello.md', kind: 'post', slug: 'hello', title: 'Hello' },
  ])
  expect(told(2)).toEqual([
    { id: 'file:other/posts/theirs.md', kind: 'post', slug: 'theirs', title: 'Hello' },
  ])
  expect(posts.posts(1)).toBe(posts.posts(1))
})

test.each<[string, string, Partial<Post>]>([
  ['a day, in the project’s zone', 'date: 2026-03-02', { publishedAt: new Date('2026-03-01T23:00:00Z') }],
  ['an instant', 'date: 2026-03-02T10:00:00Z', { publishedAt: new Date('2026-03-02T10:00:00Z') }],
  ['a time that clocks skip', 'date: 2026-03-29 02:30', { publishedAt: new Date('2026-03-29T01:30:00Z') }],
  ['draft', 'draft: true', { publishedAt: undefined }],
  ['tags in one line', 'date: 2026-03-02\ntags: News, Garden', { tags: ['News', 'Garden'] }],
  ['another tool’s word for an excerpt', 'date: 2026-03-02\ndescription: Short.', { excerpt: 'Short.' }],
  ['its own address', 'date: 2026-03-02\nslug: greeting', { slug: 'greeting' }],
  [
    'when it was changed',
    'date: 2026-03-02\nupdated: 2026-04-01T00:00Z',
    { changedAt: new Date('2026-04-01') },
  ],
])('a file says %s', async (_, front, post) => {
  const { posts } = await aFolder({ 'posts/hello.md': `---\ntitle: Hello\n${front}\n---\nBody` })
  expect(posts.problems(1)).toEqual([])
  expect(posts.posts(1)[0]).toMatchObject(post)
})

test.each([
  ['no date', '---\ntitle: Hello\n---\n', /needs a date/],
  ['a date that is none', '---\ntitle: Hello\ndate: tomorrow\n---\n', /2026-03-02T10:00/],
  ['no title', '---\ndate: 2026-03-02\n---\nText', /title/],
  ['an address that is taken', '---\ntitle: A\ndate: 2026-03-02\nslug: tags\n---\n', /blog itself/],
  ['front matter that cannot be read', '---\ntitle: "A\n---\n', /line/],
])('%s is told with the file, and nothing of it is published', async (_, text, says) => {
  const { posts } = await aFolder({ 'posts/wrong.md': text })
  expect(posts.posts(1)).toEqual([])
  expect(posts.problems(1)).toEqual([{ id: 'file:posts/wrong.md', message: expect.stringMatching(says) }])
})

test('a file in MDX is published with its Markdown, and one with a mistake is listed with its line', async () => {
  const { posts } = await aFolder({
    'pages/start.mdx':
      '---\ntitle: Start\n---\nimport Chart from "../Chart"\n\n<Chart of={[1, 2]}>Some **words**.</Chart>',
    'pages/broken.mdx': '---\ntitle: Broken\n---\nWords.\n\n<Chart>',
  })
  expect(posts.posts(1)).toMatchObject([{ slug: 'start', body: 'Some **words**.' }])
  expect(posts.problems(1)).toEqual([
    { id: 'file:pages/broken.mdx', message: expect.stringMatching(/^line 6: .*<Chart>/) },
  ])
})

test('a file that was spoiled stays as it was last good, until it is mended', async () => {
  const { posts, write } = await aFolder({ 'posts/hello.md': hello })
  write({ 'posts/hello.md': '---\ntitle: "Hello\n---\n' })
  await posts.scan()
  expect(posts.posts(1)).toMatchObject([{ title: 'Hello' }])
  expect(posts.problems(1)).toHaveLength(1)
  write({ 'posts/hello.md': '---\ntitle: Mended\ndate: 2026-03-02\n---\n' })
  await posts.scan()
  expect(posts.posts(1)).toMatchObject([{ title: 'Mended' }])
  expect(posts.problems(1)).toEqual([])
})

test('a change of a file is noticed by itself, and told to those whose it is', async () => {
  const { posts, write, folder } = await aFolder({ 'posts/hello.md': hello })
  const told = vi.fn()
  posts.onChange(told)
  write({ 'posts/second.md': hello })
  await vi.waitFor(() => expect(posts.posts(1)).toHaveLength(2), 15_000)
  rmSync(join(folder, 'posts/second.md'))
  await vi.waitFor(() => expect(posts.posts(1)).toHaveLength(1), 15_000)
  expect(new Set(told.mock.calls.flat())).toEqual(new Set([1]))
})

test('a file is read each time it is replaced, as editors and git do it', async () => {
  const { posts, folder, write } = await aFolder({ 'posts/hello.md': hello })
  for (const title of ['Second', 'Third', 'Fifth']) {
    write({ 'posts/.hello.swp': `---\ntitle: ${title}\ndate: 2026-03-02\n---\n` })
    renameSync(join(folder, 'posts/.hello.swp'), join(folder, 'posts/hello.md'))
    await vi.waitFor(() => expect(posts.posts(1)).toMatchObject([{ title }]), { timeout: patienceMs })
  }
})

test('a post in MDX says where the pictures beside its file are served', async () => {
  const picture = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'green' } })
    .png()
    .toBuffer()
  const { posts } = await aFolder({
    'pages/garden/roses.png': picture,
    'pages/garden/index.mdx': '---\ntitle: Garden\n---\n![Roses](roses.png)\n\n<Chart />',
    'pages/start.md': '---\ntitle: Start\n---\nBegin here.',
  })
  const address = `/_tilth/images/${picture.length}.png`
  expect(posts.posts(1)).toMatchObject([
    { title: 'Garden', body: `![Roses](${address}#1200x800)`, picturesBeside: { 'roses.png': address } },
    { title: 'Start' },
  ])
  expect(posts.posts(1)[1]).not.toHaveProperty('picturesBeside')
})

test('pictures beside a file are kept with the others, named so, and have their size', async () => {
  const picture = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'green' } })
    .png()
    .toBuffer()
  const { posts } = await aFolder({
    'posts/hello/garden.png': picture,
    'posts/hello/index.md':
      '---\ntitle: Hello\ndate: 2026-03-02\ncover: { src: garden.png, alt: A garden }\n---\n' +
      '![Green](garden.png) and ![far](https://example.com/a.png), `![code](garden.png)`, ![](missing.png)',
  })
  expect(posts.posts(1)[0]).toMatchObject({
    slug: 'hello',
    cover: { address: `/_tilth/images/${picture.length}.png`, alt: 'A garden', width: 1200, height: 800 },
    body:
      `![Green](/_tilth/images/${picture.length}.png#1200x800) and ![far](https://example.com/a.png), ` +
      '`![code](garden.png)`, ![](missing.png)',
  })
})

test('nothing outside the folder is read', async () => {
  const { posts, folder, write } = await aFolder({ 'posts/hello.md': hello })
  symlinkSync('/etc/hostname', join(folder, 'posts/linked.md'))
  write({ 'posts/out.md': `${hello}\n![](../../../../etc/secret.png)` })
  await posts.scan()
  expect(posts.posts(1).map(({ id }) => id)).toEqual(['file:posts/hello.md'])
  expect(posts.problems(1)).toMatchObject([{ message: expect.stringMatching(/outside the folder/) }])
})
