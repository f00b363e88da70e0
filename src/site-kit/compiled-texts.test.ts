import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { KitBuilder } from './internal/build/build-kit'

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
  /** The files that were written below a folder of the builds, each with the moment of its writing. */
  const writtenIn = (name: string): string[] => {
    const within = join(output, name)
    const found = statSync(within, { throwIfNoEntry: false }) ? readdirSync(within) : []
    return found.map((file) => `${file} ${statSync(join(within, file), { bigint: true }).mtimeNs}`)
  }
  const programs = () => writtenIn('schemas').filter((written) => written.startsWith('schemas.mjs'))
  /** Returns how many texts the build has compiled, and how often it has checked entries by their schemas. */
  const build = async () => {
    const before = new Set([...writtenIn('compiled'), ...programs()])
    const countNew = (written: readonly string[]) => written.filter((file) => !before.has(file)).length
    const builder = new KitBuilder({
      folder,
      output,
      runtime: join(root, 'src/site-kit/internal/runtime'),
      packages: join(root, 'node_modules'),
      isDev: false,
    })
    const outcome = await builder.build()
    await builder.close()
    return { done: outcome.done, compiled: countNew(writtenIn('compiled')), checks: countNew(programs()) }
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
