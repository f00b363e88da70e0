import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { siteThemes } from '#posts/site'
import { KitBuilder } from './internal/build/build-kit'
import { copyTheme } from './copy-theme'
import { ThemeFiles } from './theme-files'

const root = resolve(import.meta.dirname, '../..')
const themes = join(root, 'themes')

function aSiteFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-theme-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test.each(siteThemes)('a copy of %s is built as a site folder with its layouts', async (name) => {
  const [site, output] = [aSiteFolder(), aSiteFolder()]
  copyTheme({ from: join(themes, name), to: site, isForced: false })
  const builder = new KitBuilder({
    folder: site,
    output,
    runtime: join(root, 'src/site-kit/internal/runtime'),
    packages: join(root, 'node_modules'),
    isDev: false,
  })
  onTestFinished(() => builder.close())
  const outcome = await builder.build()
  expect(outcome).toMatchObject({ done: true })
  if (!outcome.done) return
  const { layouts, styles } = outcome.manifest
  // pages in place of others look alike in all themes
  const others = name === 'publication' ? ['not-found', 'error'] : []
  expect(Object.keys(layouts)).toEqual(['default', 'home', 'list', 'page', 'post', ...others])
  expect(styles).toHaveLength(1)
})

test('a file that a team has changed is replaced only when that is wanted', () => {
  const site = aSiteFolder()
  const copy = { from: join(themes, 'docs'), to: site }
  const first = copyTheme({ ...copy, isForced: false })
  expect(first).toMatchObject({ done: true, unchanged: [] })
  writeFileSync(join(site, 'theme/theme.json'), '{}')

  expect(copyTheme({ ...copy, isForced: false })).toEqual({ done: false, inTheWay: ['theme/theme.json'] })
  expect(readFileSync(join(site, 'theme/theme.json'), 'utf8')).toBe('{}')
  expect(copyTheme({ ...copy, isForced: true })).toMatchObject({ done: true, written: ['theme/theme.json'] })
})

test('the styles of a theme are its sheets and its tokens, and publication has those of every page', () => {
  const files = new ThemeFiles(themes)
  expect(files.styles('publication')).toEqual({ css: '', backgrounds: undefined })
  const { css, backgrounds } = files.styles('docs')
  expect(css).toContain('.docs-nav')
  expect(css).toContain(':root:root{--ground: light-dark(#ffffff,#0f1214)')
  expect(css).not.toContain('/*')
  expect(backgrounds).toEqual({ light: '#ffffff', dark: '#0f1214' })
})

test.each(siteThemes)('the styles of %s weigh less than two kilobytes with Brotli', (name) =>
  expect(brotliCompressSync(new ThemeFiles(themes).styles(name).css).length).toBeLessThan(2000),
)

test('publication repeats the colours of every page for those who copy it', () => {
  const { colors } = JSON.parse(readFileSync(join(themes, 'publication/theme/theme.json'), 'utf8')) as {
    colors: Record<'background' | 'surface' | 'text' | 'muted' | 'line', { light: string; dark: string }>
  }
  const sheet = readFileSync(join(root, 'src/app/(site)/site.css'), 'utf8')
  const properties = { background: 'ground', surface: 'surface', text: 'ink', muted: 'muted', line: 'line' }
  for (const [name, property] of Object.entries(properties)) {
    const { light, dark } = colors[name as keyof typeof colors]
    expect(sheet).toContain(`--${property}: light-dark(${light}, ${dark});`)
  }
})
