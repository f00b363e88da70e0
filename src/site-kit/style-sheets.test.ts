import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { patienceMs } from '#test/running/patience'
import { KitBuilder } from './internal/build/build-kit'

const root = resolve(import.meta.dirname, '../..')
const tailwind = ['tailwindcss']
const postcss = ['postcss', 'nanoid', 'picocolors', 'source-map-js']

/** A site folder with these files, and with packages as npm installs them. */
function aSite(files: Record<string, string>, packages: readonly string[], isDev = false) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'tilth-styles-')))
  onTestFinished(() => rmSync(base, { recursive: true }))
  const folder = join(base, 'site')
  const save = (path: string, text: string): void => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }
  for (const [path, text] of Object.entries(files)) save(path, text)
  for (const name of packages)
    cpSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true })
  const output = join(base, 'kept/site-kit')
  const runtime = join(root, 'src/site-kit/internal/runtime')
  const builder = new KitBuilder({ folder, output, runtime, packages: join(root, 'node_modules'), isDev })
  onTestFinished(() => builder.close())
  /** The styles of a build, or its mistakes. */
  const build = async (): Promise<string> => {
    const built = await builder.build()
    if (!built.done)
      return built.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n')
    const [address = ''] = built.manifest.styles
    return readFileSync(join(output, 'assets', basename(address)), 'utf8')
  }
  return { folder, base, save, build }
}

const page = (classes: string): string => `export default () => <main className="${classes}">Hi</main>`

test('Tailwind of the folder compiles the classes of its pages, components and texts', async () => {
  const { build } = aSite(
    {
      'theme/app.css': `@import "tailwindcss";
@import "./tokens.css";
.button { @apply rounded-full px-3; }
`,
      'theme/tokens.css': '@theme { --color-harvest: #b45309; }',
      'pages/a.tsx': page("p-[7px] md:flex dark:bg-harvest content-['hi'] w-(--wide)"),
      'components/Tag.tsx': `const kinds = { big: 'text-5xl', small: "text-xs" }
export default ({ kind }) => <b className={[kinds[kind],'font-black'].join(' ')} />`,
      'posts/2026-01-01-a.md': '# Hello\n\n<div class="mt-11">Hi</div>\n',
      'pages/b.mdx': '---\ntitle: B\n---\n\n<div className="mb-11">Hi</div>\n',
    },
    tailwind,
  )
  const css = await build()
  expect(css).toContain('.p-\\[7px\\]{padding:7px}')
  expect(css).toMatch(
    /@media ?\((?:min-width: ?48rem|width>=48rem|width >= 48rem)\)\{\.md\\:flex\{display:flex\}\}/,
  )
  expect(css).toMatch(
    /@media ?\(prefers-color-scheme:dark\)\{\.dark\\:bg-harvest\{background-color:var\(--color-harvest\)\}\}/,
  )
  expect(css).toContain('--color-harvest: #b45309')
  expect(css).toMatch(/\.button\{border-radius:[^}]*padding-inline:/)
  for (const name of [
    "content-\\[\\'hi\\'\\]",
    'w-\\(--wide\\)',
    'text-5xl',
    'text-xs',
    'font-black',
    'mt-11',
    'mb-11',
  ])
    expect(css).toContain(`.${name}{`)
  expect(css).not.toContain('.underline{')
  expect(css).not.toContain('@layer tilth')
})

test('a save by rename adds its class, and another one of the theme its colour', async () => {
  const { build, save } = aSite(
    {
      'theme/app.css': '@import "tailwindcss";\n@import "./tokens.css";',
      'theme/tokens.css': '@theme { --color-brand: #111; }',
      'pages/a.tsx': page('p-1'),
    },
    tailwind,
    true,
  )
  expect(await build()).not.toContain('.underline {')
  save('pages/a.tsx', page('p-1 underline text-brand'))
  expect(await build()).toContain('.underline {')
  save('pages/a.tsx', page('p-1 italic text-brand'))
  expect(await build()).toContain('.italic {')
  save('theme/tokens.css', '@theme { --color-brand: #222; }')
  const css = await build()
  expect(css).toContain('--color-brand: #222')
  expect(css).toContain('.italic {')
  save('theme/app.css', '@import "tailwindcss" source(none);\n@source "../pages/b.tsx";')
  save('pages/b.tsx', page('uppercase'))
  const narrow = await build()
  expect(narrow).toContain('.uppercase {')
  expect(narrow).not.toContain('.italic {')
})

test('style modules know the theme by @reference', async () => {
  const { build } = aSite(
    {
      'theme/app.css': '@import "tailwindcss";\n@theme { --color-brand: #123456; }',
      'components/box.module.css': '@reference "../theme/app.css";\n.box { @apply text-brand; }',
      'pages/a.tsx': `import styles from '../components/box.module.css'\nexport default () => <main className={styles.box} />`,
    },
    tailwind,
  )
  expect(await build()).toMatch(/\.box_\w+\{color:var\(--color-brand, ?#123456\)\}/)
})

test('sites without Tailwind keep their styles beside those of Tilth', async () => {
  const { build } = aSite(
    { 'theme/app.css': '@import "./b.css" screen;\n.a { color: red }', 'theme/b.css': 'b { color: blue }' },
    [],
  )
  expect(await build()).toMatch(/@layer tilth\{.*\.a\{color:red\}/)
})

test.each([
  [
    'without the package',
    '/* @import "tailwindcss" */\n@import "tailwindcss";',
    [],
    'theme/app.css:2: The package tailwindcss is missing. In the site folder: npm install tailwindcss',
  ],
  [
    'with an unknown class',
    '@import "tailwindcss";\n.a {\n  @apply p-huge;\n}',
    tailwind,
    /^theme\/app\.css:3: .*p-huge/,
  ],
  [
    'without an imported sheet',
    '@import "tailwindcss";\n@import "tw-nowhere";',
    tailwind,
    'theme/app.css:2: The style sheet "tw-nowhere" cannot be found. In the site folder: npm install tw-nowhere',
  ],
  [
    'with a plugin that is missing',
    '@import "tailwindcss";\n@plugin "./none.js";',
    tailwind,
    /^theme\/app\.css:2: "\.\/none\.js" cannot be loaded/,
  ],
])('a style sheet %s is a mistake with its line', async (_, css, packages, problem) => {
  const { build } = aSite({ 'theme/app.css': css, 'pages/a.tsx': page('p-1') }, packages)
  expect(await build()).toMatch(problem)
})

/** Tries to do what code of the folder may not do, and puts the outcome into the styles. */
const intruder = (then: string): string => `
import { readFileSync, writeFileSync } from 'node:fs'
import { execSync } from 'node:child_process'
const tried = { read: () => readFileSync('/etc/passwd', 'utf8'), kept: () => readFileSync(new URL('../kept/store.db', import.meta.url)), hidden: () => readFileSync(new URL('./.env', import.meta.url)), written: () => writeFileSync(new URL('./x', import.meta.url), ''), run: () => execSync('id') }
const outcomes = Object.entries(tried).map(([name, attempt]) => { try { attempt(); return name + '-done' } catch (problem) { return name + '-' + problem.code } })
outcomes.push('env-' + Object.keys(process.env).filter((name) => /TILTH|SECRET|PATH/.test(name)).length)
outcomes.push(await fetch('http://127.0.0.1:8999').then(() => 'fetched', (problem) => problem.cause?.name))
${then}`
const refusals =
  'read-ERR_ACCESS_DENIED kept-ERR_ACCESS_DENIED hidden-ERR_ACCESS_DENIED written-ERR_ACCESS_DENIED run-ERR_ACCESS_DENIED env-0 NetworkRefusedError'

test('a plugin of Tailwind reads the folder alone, writes nothing and starts no program', async () => {
  const { build, base, folder } = aSite(
    {
      'theme/app.css': '@import "tailwindcss";\n@plugin "../plugin.mjs";',
      'pages/a.tsx': page('p-1'),
      'plugin.mjs': intruder(
        "export default ({ addBase }) => addBase({ '.outcomes': { content: JSON.stringify(outcomes.join(' ')) } })",
      ),
      '.env': 'A=1',
    },
    tailwind,
  )
  mkdirSync(join(base, 'kept'), { recursive: true })
  writeFileSync(join(base, 'kept/store.db'), 'secret')
  vi.stubEnv('TILTH_SECRET', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await build()).toContain(refusals)
  expect(folder).toContain(base)
})

test("PostCSS of the folder runs the plugins of the folder's list on every style sheet, as restricted", async () => {
  const { build, save } = aSite(
    {
      'postcss.config.mjs': "import { red } from './red.mjs'\nexport default { plugins: [red] }",
      'red.mjs': intruder(
        `export const red = { postcssPlugin: 'red', Declaration(one) { if (one.value === 'team-red') one.value = 'rgb(200 0 0)' }, OnceExit(root, { Rule, Declaration }) { root.append({ selector: '.outcomes', nodes: [] }); root.last.append({ prop: 'content', value: JSON.stringify(outcomes.join(' ')) }) } }`,
      ),
      'theme/app.css': '.a { color: team-red }',
      'components/box.module.css': '.box { color: team-red }',
      'pages/a.tsx': `import styles from '../components/box.module.css'\nexport default () => <main className={styles.box} />`,
    },
    postcss,
  )
  const css = await build()
  expect(css).toMatch(/\.a\s*\{\s*color:\s*#c80000/)
  expect(css).toMatch(/\.box_\w+\s*\{\s*color:\s*#c80000/)
  expect(css).toContain(refusals)
  save(
    'red.mjs',
    "export const red = { postcssPlugin: 'red', Declaration(one) { if (one.value === 'team-red') one.value = '#0000fe' } }",
  )
  expect(await build()).toContain('#0000fe')
})

test.each([
  ['a named plugin', "module.exports = { plugins: ['@tailwindcss/postcss'] }", 'cjs'],
  [
    'an imported plugin',
    "import tailwindcss from '@tailwindcss/postcss'\nexport default { plugins: [tailwindcss()] }",
    'mjs',
  ],
])("Tailwind's own plugin is a mistake that says what to do: %s", async (_, config, kind) => {
  const { build } = aSite({ [`postcss.config.${kind}`]: config, 'theme/app.css': '@import "tailwindcss";' }, [
    ...postcss,
    ...tailwind,
  ])
  expect(await build()).toContain(
    `postcss.config.${kind}:1: Tailwind 4 needs no plugin: take @tailwindcss/postcss from the list.`,
  )
})

test('a plugin that needs a native addon is named', async () => {
  const { build, folder } = aSite(
    {
      'postcss.config.cjs': "module.exports = { plugins: { 'postcss-native': {} } }",
      'theme/app.css': 'b { color: red }',
    },
    postcss,
  )
  const place = join(folder, 'node_modules/postcss-native')
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{ "name": "postcss-native", "main": "index.js" }')
  writeFileSync(join(place, 'index.js'), "process.dlopen({ exports: {} }, __dirname + '/a.node')")
  expect(await build()).toMatch(/^postcss\.config\.cjs:1: postcss-native needs a native addon\./)
})

test('a plugin that never ends is stopped, and a later build works', async () => {
  const { build, save } = aSite(
    { 'postcss.config.mjs': 'process.exit(3)', 'theme/app.css': 'b { color: red }' },
    postcss,
  )
  expect(await build()).toMatch(/^theme\/app\.css:1: Styles cannot be compiled: their process ended: exit 3/)
  save('postcss.config.mjs', 'export default { plugins: [] }')
  await vi.waitFor(async () => expect(await build()).toContain('color:red'), patienceMs)
})
