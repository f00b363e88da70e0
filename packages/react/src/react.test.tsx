import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { transform } from 'esbuild'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, onTestFinished, test } from 'vitest'
import { bundlePackage } from '../../build'
import {
  Experiment,
  identify,
  type TilthBootstrap,
  TilthProvider,
  track,
  useFlag,
  useFlagPayload,
  useFlagsReady,
  Variant,
} from './index'

const render = (children: ReactNode, bootstrap?: TilthBootstrap): string =>
  renderToString(
    <TilthProvider address="https://tilth.example.com" project="phc_key" bootstrap={bootstrap}>
      {children}
    </TilthProvider>,
  )

const decided: TilthBootstrap = {
  flags: { headline: 'bold', 'new-checkout': true, old: false },
  payloads: { limits: { uploads: 3 } },
}

function Values() {
  const values = [useFlag('headline'), useFlag('unknown', 'fallback'), useFlag('toString')]
  return JSON.stringify([values, useFlagPayload('limits'), useFlagPayload('none', 0), useFlagsReady()])
}
const textOf = (html: string) => html.replaceAll('&quot;', '"')

test('a server renders what the bootstrap decided, and fallbacks for what it did not', () =>
  expect(textOf(render(<Values />, decided))).toBe('[["bold","fallback",false],{"uploads":3},0,true]'))

test('without a bootstrap it renders fallbacks', () =>
  expect(textOf(render(<Values />))).toBe('[[false,"fallback",false],null,0,false]'))

const headline = <Experiment flag="headline" variants={{ bold: <b>Bold</b>, control: <i>Plain</i> }} />

test.each<[string, TilthBootstrap | undefined, string]>([
  ['the decided variant', decided, '<div style="display:contents"><b>Bold</b></div>'],
  [
    'the original of a flag that is off',
    { ...decided, flags: {} },
    '<div style="display:contents"><i>Plain</i></div>',
  ],
  [
    'the original, not visible, before it is decided',
    undefined,
    '<div style="display:contents;visibility:hidden"><i>Plain</i></div>',
  ],
])('an experiment shows %s', (_what, bootstrap, html) => expect(render(headline, bootstrap)).toBe(html))

test('a variant shows its children to those it is for', () => {
  const shown = render(
    <>
      <Variant flag="headline" is="bold">
        1
      </Variant>
      <Variant flag="headline" is="control" fallback="2">
        3
      </Variant>
      <Variant flag="new-checkout">4</Variant>
      <Variant flag="old" is={false}>
        5
      </Variant>
    </>,
    decided,
  )
  expect(shown.replaceAll('<!-- -->', '')).toBe('1245')
})

test('events on a server are none', () => {
  track('signup')
  identify('ana')
  expect(render(<Values />, decided)).toContain('bold')
})

test('hooks outside of a provider say what is missing', () =>
  expect(() => renderToString(<Values />)).toThrow(
    'Tilth: this component needs a <TilthProvider> around it.',
  ))

test('the package takes less than 3 kB with gzip', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-react-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await bundlePackage('react', folder)
  const script = readFileSync(join(folder, 'index.js'), 'utf8')
  expect(script).toMatch(/^['"]use client['"]/)
  // bundlers of apps read it, and leave the script of surveys alone
  expect(script).toContain('webpackIgnore: true')
  const { code } = await transform(script, { minify: true })
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(3000)
})

test('keys and variants that are not registered do not compile', async () => {
  const tsc = resolve('node_modules/typescript/bin/tsc')
  const fixture = join(import.meta.dirname, 'fixtures')
  await promisify(execFile)(process.execPath, [tsc, '-p', fixture])
})
