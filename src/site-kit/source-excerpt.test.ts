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
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { KitBuilder } from './internal/build/build-kit'
import { excerptAt } from './source-excerpt'

const root = resolve(import.meta.dirname, '../..')

function aSite() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'tilth-excerpt-')))
  onTestFinished(() => rmSync(base, { recursive: true }))
  const [folder, output] = [join(base, 'site'), join(base, 'out')]
  mkdirSync(join(folder, 'components'), { recursive: true })
  const component = "'use client'\n\nexport default function Open() {\n  throw new Error('Ouch')\n}\n"
  writeFileSync(join(folder, 'components/Open.tsx'), component)
  writeFileSync(join(folder, '.env'), 'SECRET=1')
  writeFileSync(join(base, 'key'), 'secret')
  const excerpt = (query: Record<string, string>) => excerptAt({ folder, output }, new URLSearchParams(query))
  return { folder, output, excerpt }
}

test('the lines around a place in a file are read, and those of no other file', async () => {
  const { excerpt } = aSite()
  expect(await excerpt({ file: 'components/Open.tsx', line: '1' })).toEqual({
    file: 'components/Open.tsx',
    line: 1,
    lines: [
      { number: 1, text: "'use client'" },
      { number: 2, text: '' },
      { number: 3, text: 'export default function Open() {' },
      { number: 4, text: "  throw new Error('Ouch')" },
    ],
  })
  for (const file of ['../key', '.env', '/etc/hostname', 'components', 'missing.tsx'])
    expect(await excerpt({ file, line: '1' })).toBeUndefined()
  expect(await excerpt({ file: 'components/Open.tsx', line: 'x' })).toBeUndefined()
})

test('a place in a script that browsers load is found in the file that it was built from', async () => {
  const { folder, output, excerpt } = aSite()
  const runtime = join(root, 'src/site-kit/internal/runtime')
  const builder = new KitBuilder({
    folder,
    output,
    runtime,
    packages: join(root, 'node_modules'),
    isDev: true,
  })
  onTestFinished(() => builder.close())
  await builder.build()
  const script = readdirSync(join(output, 'assets')).find((name) => /^Open-\w+\.js$/.test(name)) ?? ''
  const lines = readFileSync(join(output, 'assets', script), 'utf8').split('\n')
  const line = lines.findIndex((text) => text.includes('throw new Error')) + 1
  expect(await excerpt({ script, line: String(line), column: '9' })).toMatchObject({
    file: 'components/Open.tsx',
    line: 4,
  })
  expect(await excerpt({ script: 'Other-1.js', line: '1', column: '1' })).toBeUndefined()
})
