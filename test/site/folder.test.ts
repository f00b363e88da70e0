import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { aFolder, aTilth } from '../start/tilth'
import { ownedEnvironment } from '../studio/owner'

async function aSiteOf(files: Record<string, string | Uint8Array>) {
  const folder = aFolder()
  const write = (path: string, contents: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), contents)
  }
  for (const [path, contents] of Object.entries(files)) write(path, contents)
  const { address } = await aTilth({ ...ownedEnvironment, TILTH_SITE: folder })
  const read = async (path: string) => {
    const answer = await fetch(address + path, { headers: { accept: 'text/html' } })
    return { status: answer.status, text: await answer.text() }
  }
  return { read, write }
}

const post = (title: string, body = 'Words.') => `---\ntitle: ${title}\ndate: 2026-03-02\n---\n${body}`

test('posts and pages in files are published with their pictures, and a change of a file is seen', async () => {
  const picture = await sharp({ create: { width: 1200, height: 600, channels: 3, background: 'green' } })
    .jpeg()
    .toBuffer()
  const { read, write } = await aSiteOf({
    'posts/hello/index.md': post('Hello', `![A garden](garden.jpg)`),
    'posts/hello/garden.jpg': picture,
    'pages/docs/start.md': '---\ntitle: Begin here\n---\nFirst.',
    'posts/broken.md': '---\ntitle: "Broken\n---\n',
  })
  await expect.poll(async () => (await read('/blog/hello')).text).toContain('/_tilth/images/')
  const hello = await read('/blog/hello')
  const [, image = ''] = /src="(\/_tilth\/images\/[\da-f]{32}\.jpg)"/.exec(hello.text) ?? []
  expect([hello.status, hello.text.includes('alt="A garden"'), (await read(image)).status]).toEqual([
    200,
    true,
    200,
  ])
  expect((await read('/docs/start')).text).toContain('Begin here')
  expect((await read('/blog/broken')).status).toBe(404)

  write('posts/hello/index.md', post('Hello again'))
  await expect.poll(async () => (await read('/blog/hello')).text.includes('Hello again')).toBe(true)
  expect((await read('/blog')).text).toContain('Hello again')
})
