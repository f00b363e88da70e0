import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { aFolder, openTestProduct } from '#test/product/fixture'
import { commandLine } from './command-line'

const root = resolve(import.meta.dirname, '../../..')

afterEach(() => {
  process.exitCode = undefined
})

async function says(...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean(out.push(String(text)))),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean(err.push(String(text)))),
  ]
  try {
    const command = commandLine({ root, programs: join(root, 'dist') }, '0.0.0')
    await command.parseAsync(['import', 'posts', ...args], { from: 'user' })
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return { out: out.join(''), err: err.join(''), code: process.exitCode }
}

test('posts of Ghost are imported, and a second run finds them there', async () => {
  const { folder, aProject } = await openTestProduct()
  await aProject({ name: 'Acme' })
  vi.stubEnv('TILTH_DATA', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const file = join(aFolder(), 'ghost.json')
  const post = { id: 1, title: 'Hello', slug: 'hello', html: '<p><img src="__GHOST_URL__/a.png"></p>' }
  const posts = [{ ...post, status: 'published', published_at: '2024-01-02T00:00:00Z' }]
  writeFileSync(file, JSON.stringify({ db: [{ data: { posts } }] }))

  expect((await says('ghost', file, '--preview')).out).toContain('1 posts and pages would be imported')
  expect(await says('ghost', file, '--url', 'https://old.example')).toEqual({
    out: [
      'published  /blog/hello  Hello',
      '1 posts and pages imported, 0 were there already, 0 refused, 0 left out.',
      '0 authors and 1 redirects added, 0 pictures downloaded.',
      '1 pictures stay elsewhere, as links: use --pictures.\n',
    ].join('\n'),
    err: '',
    code: undefined,
  })
  expect((await says('ghost', file)).out).toContain('there      /blog/hello  Hello\n')
  expect(JSON.parse((await says('ghost', file, '--json')).out)).toMatchObject({ created: [], redirects: 0 })
  writeFileSync(
    file,
    JSON.stringify({
      db: [{ data: { posts: posts.map((one) => ({ ...one, slug: 'later', title: 'Later' })) } }],
    }),
  )
  expect((await says('ghost', file)).out).toMatch(/^draft\s+\/blog\/later {2}Later\nnote.*--url/)
  expect(await says('wordpress', file)).toMatchObject({ code: 1, err: expect.stringContaining('not XML') })
  expect(await says('ghost', file, '--url', 'ftp://x')).toMatchObject({ code: 1 })
})
