import { execFile, execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { version } from '#package.json'
import { styleTypes } from '#site-kit/write-types'
import { packageNames } from '../../packages/build'

const root = resolve(import.meta.dirname, '../..')
const workFolder = mkdtempSync(join(tmpdir(), 'tilth-snippets-'))
afterAll(() => rmSync(workFolder, { recursive: true }))

/** The packages as an app installs them from Tilth. */
const packagesFolder = join(workFolder, 'packages')
for (const name of packageNames) {
  mkdirSync(join(packagesFolder, name), { recursive: true })
  const file = join(root, 'dist/packages', `${name}-${version}.tgz`)
  execFileSync('tar', ['-xzf', file, '-C', join(packagesFolder, name), '--strip-components=1'])
}

interface Snippet {
  path: string
  code: string
}

/** The snippets of a document. A first line like `// app/layout.tsx` says which file one is. */
function snippetsIn(text: string): Snippet[] {
  const blocks = [...text.matchAll(/^```(tsx?|jsx?)\n([^]*?)^```/gm)]
  return blocks.map(([, language = '', code = ''], index) => {
    const [, path] = /^\/\/ ([\w./[\]-]+\.tsx?)\b/.exec(code) ?? []
    return { path: path ?? `${language}-${index + 1}.tsx`, code }
  })
}

const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...packageNames.map((name) => `packages/${name}/README.md`),
]
  .map((path) => ({ path, snippets: snippetsIn(readFileSync(join(root, path), 'utf8')) }))
  .filter(({ snippets }) => snippets.length > 0)

/** The script that pages load adds a global to them. */
const ambient = `interface Window {
  tilth: Record<'track' | 'identify', (name: string, details?: object) => void> & {
    optOut(): void
    flag(key: string): Promise<boolean | string | undefined>
    payload(key: string): Promise<unknown>
  }
}`

/** Returns what the compiler says against snippets, as an app with strict settings would hear it. */
async function problemsOf(snippets: readonly Snippet[]): Promise<string> {
  const folder = mkdtempSync(join(workFolder, 'app-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const { path, code } of snippets) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    // a later snippet of the same file takes its place
    writeFileSync(join(folder, path), `${code}\nexport {}\n`)
  }
  writeFileSync(join(folder, 'ambient.d.ts'), ambient)
  writeFileSync(join(folder, 'tilth-styles.d.ts'), styleTypes)
  copyFileSync(join(root, 'docs/openfeature-hook.ts'), join(folder, 'openfeature-hook.ts'))
  const at = (name: string, file: string) => [join(packagesFolder, name, 'dist', file)]
  const settings = {
    extends: join(root, 'packages/tsconfig.app.json'),
    compilerOptions: {
      types: ['node'],
      paths: {
        '@tilth/site': at('site', 'index.d.ts'),
        '@tilth/react': at('react', 'index.d.ts'),
        '@tilth/react/*': at('react', '*.d.ts'),
        '@tilth/next/*': at('next', '*.d.ts'),
      },
    },
    include: ['**/*.ts', '**/*.tsx'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const ended = promisify(execFile)(process.execPath, [tsc, '-p', folder])
  return await ended.then(
    () => '',
    // the compiler writes its findings on its output
    (problem: { stdout: string }) => problem.stdout,
  )
}

describe.each(documents)('$path', ({ snippets }) => {
  test('has snippets that compile as they are', async () => expect(await problemsOf(snippets)).toBe(''))
})

test.each([
  ['a name that is not imported', 'track("signup")'],
  ['an option that does not exist', `import { track } from '@tilth/react'\ntrack('signup', { plan: 'pro' })`],
  ['an export that does not exist', `import { useFlags } from '@tilth/react'\nuseFlags()`],
])('%s would be noticed', async (_name, code) =>
  expect(await problemsOf([{ path: 'wrong.tsx', code }])).toMatch(/error TS/),
)
