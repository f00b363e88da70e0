import { mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type * as mdx from '#posts/mdx'
import type * as forking from '#processes/fork-program'
import { KitBuilder } from './internal/build/build-kit'

const compiled: string[] = []
const noting =
  <Result>(compile: (text: string) => Promise<Result>) =>
  async (text: string) => {
    compiled.push(text)
    return await compile(text)
  }
vi.mock('#posts/mdx', async (importOriginal) => {
  const original = await importOriginal<typeof mdx>()
  return { ...original, compileEntry: noting(original.compileEntry), compileMdx: noting(original.compileMdx) }
})

const started: string[] = []
vi.mock('#processes/fork-program', async (importOriginal) => {
  const original = await importOriginal<typeof forking>()
  return {
    forkProgram: (...given: Parameters<typeof original.forkProgram>) => {
      started.push(given[0])
      return original.forkProgram(...given)
    },
  }
})

const root = resolve(import.meta.dirname, '../..')
const entry = (n: number, text = 'Hello') => `---\ntitle: Entry ${n}\n---\n\n${text} *${n}*\n`
const entries = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`content/notes/n${n}.md`, entry(n)]))

/** A site folder, each build of which has a builder of its own, as with `tilth start`. */
function aSite(files: Record<string, string>) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'tilth-compiled-')))
  onTestFinished(() => rmSync(base, { recursive: true }))
  const [folder, output] = [join(base, 'site'), join(base, 'out')]
  const save = (path: string, text: string): void => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }
  for (const [path, text] of Object.entries(files)) save(path, text)
  /** Returns how many texts the build has compiled, and how often it has checked entries by their schemas. */
  const build = async () => {
    compiled.length = 0
    started.length = 0
    const builder = new KitBuilder({
      folder,
      output,
      runtime: join(root, 'src/site-kit/internal/runtime'),
      packages: join(root, 'node_modules'),
      isDev: false,
    })
    const outcome = await builder.build()
    await builder.close()
    return { done: outcome.done, compiled: compiled.length, checks: started.length }
  }
  return { folder, save, build, kept: () => readdirSync(join(output, 'compiled')).length }
}

test('a build compiles the entries and the posts in MDX that have changed, and no others', async () => {
  const { folder, save, build, kept } = aSite({
    ...entries,
    'content/notes/schema.ts': `import { z } from 'zod'\nexport default z.object({ title: z.string() })`,
    'posts/a.mdx': '---\ntitle: A\n---\n\nHello\n',
    'pages/a.tsx': 'export default () => <p>a</p>',
  })
  expect(await build()).toEqual({ done: true, compiled: 41, checks: 1 })
  expect(await build()).toEqual({ done: true, compiled: 0, checks: 0 })
  save('pages/a.tsx', 'export default () => <p>b</p>')
  expect(await build()).toEqual({ done: true, compiled: 0, checks: 0 })
  save('content/notes/n7.md', entry(7, 'Changed'))
  // its fields are as they were
  expect(await build()).toEqual({ done: true, compiled: 1, checks: 0 })
  expect(kept()).toBe(41)
  save(
    'content/notes/schema.ts',
    `import { z } from 'zod'\nexport default z.object({ title: z.string().min(2) })`,
  )
  expect(await build()).toEqual({ done: true, compiled: 0, checks: 1 })
  rmSync(join(folder, 'content/notes/n8.md'))
  expect(await build()).toEqual({ done: true, compiled: 0, checks: 1 })
  expect(kept()).toBe(40)
})

test('a refused entry is checked again, and what is kept of others stays', async () => {
  const { save, build } = aSite({
    ...entries,
    'content/notes/schema.ts': `import { z } from 'zod'\nexport default z.object({ title: z.string().max(9) })`,
    'pages/a.tsx': 'export default () => <p>a</p>',
  })
  expect(await build()).toMatchObject({ done: true })
  save('content/notes/n3.md', entry(3000))
  expect(await build()).toEqual({ done: false, compiled: 0, checks: 1 })
  expect(await build()).toEqual({ done: false, compiled: 0, checks: 1 })
  save('content/notes/n3.md', entry(3))
  expect(await build()).toEqual({ done: true, compiled: 0, checks: 0 })
})
