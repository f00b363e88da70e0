import { createRequire } from 'node:module'
import { transform } from 'esbuild'
import { describe, expect, test } from 'vitest'
import type { FlagKind } from '#flags/flag'
import { flagsHead } from '#studio/connect/flags-head'
import { type FlagSnippetOptions, codeGuideIn, codeGuideNamed, codeGuides, codeGuidesFor } from './snippets'

const writeKey = 'phc_0123456789abcdefghijABCDEFGHIJ'
const address = 'https://tilth.example.com:8443'

const snippetOptions = (kind: FlagKind, isSecret = false): FlagSnippetOptions => ({
  address,
  writeKey,
  flag: {
    key: 'new-checkout',
    kind,
    variants:
      kind === 'variants'
        ? [
            { key: 'control', name: '', percentage: 50 },
            { key: 'short', name: '', percentage: 50 },
          ]
        : [],
    payloads: {},
    isSecret,
  },
})

const open = { isSecret: false }
const kinds: FlagKind[] = ['switch', 'variants', 'config']
const all = codeGuidesFor(open).flatMap((name) => kinds.map((kind) => [name, kind] as const))

describe.each(all)('%s, %s', (name, kind) => {
  const snippets = codeGuideNamed(name, open).snippets(snippetOptions(kind))
  const code = snippets.map((one) => one.code).join('\n')

  test('names the flag, the installation and its key', () => {
    for (const part of ['new-checkout', address, writeKey]) expect(code).toContain(part)
    if (kind === 'variants' && !name.startsWith('openfeature')) expect(code).toContain(`'short'`)
  })

  test('can be read by what it is for', async () => {
    for (const { code: one } of snippets.filter(({ language }) => /^(?:JavaScript|JSX)$/.test(language)))
      await transform(one, { loader: 'jsx', format: 'esm' })
    for (const { code: page } of snippets.filter(({ language }) => language === 'HTML'))
      for (const [, script = ''] of page.matchAll(/<script>([^]*?)<\/script>/g)) await transform(script)
  })
})

test('what is imported is there to be imported', () => {
  const { resolve } = createRequire(import.meta.url)
  const code = all.flatMap(([name, kind]) => codeGuideNamed(name, open).snippets(snippetOptions(kind)))
  const modules = new Set(
    code.flatMap((one) => [...one.code.matchAll(/from '([^']+)'/g)].map(([, from]) => from)),
  )
  expect(modules.size).toBeGreaterThan(5)
  for (const name of modules) expect(() => resolve(String(name))).not.toThrow()
})

test('with the tag, a flag is one line: an element, or a call', () => {
  const codeFor = (kind: FlagKind) =>
    codeGuideNamed('script', open)
      .snippets(snippetOptions(kind))
      .map(({ code }) => code)
  const [tag, element, call, head] = codeFor('switch')
  expect(tag).toBe(
    `<script defer crossorigin src="${address}/_tilth/script.js" data-project="${writeKey}"></script>`,
  )
  expect(element).toBe('<div data-tilth-flag="new-checkout" hidden>What it turns on</div>')
  expect(call).toContain(`if (await window.tilth?.flag('new-checkout')) {`)
  expect(head).toBe(flagsHead)
  expect(codeFor('variants')[1]).toContain('data-tilth-variant="short" hidden')
  expect(codeFor('config')[1]).toBe(`const value = await window.tilth?.payload('new-checkout')`)
})

test('a secret is shown to servers alone', () => {
  expect(codeGuidesFor({ isSecret: true })).toEqual(['posthog-node'])
  expect(codeGuideIn('posthog-js', { isSecret: true })).toBe('posthog-node')
  const [snippet] = codeGuideNamed('posthog-node', { isSecret: true }).snippets(
    snippetOptions('config', true),
  )
  expect(snippet?.code).toContain(`getRemoteConfigPayload('new-checkout')`)
})

test.each([
  // what the address names, the libraries of the project's events, and what is shown
  ['http', ['web'], 'http'],
  [undefined, ['tilth-site', 'web', 'tilth'], 'posthog-js'],
  [undefined, ['tilth'], 'script'],
  ['nonsense', ['posthog-node'], 'posthog-node'],
  [undefined, ['umami'], 'script'],
])('%s and events of %o: %s', (named, libraries, shown) =>
  expect(codeGuideIn(named, open, libraries)).toBe(shown),
)

test('an address that names no client shows the first', () => {
  expect(codeGuideIn('nonsense', open)).toBe('script')
  expect(codeGuideIn('http', open)).toBe('http')
  expect(Object.keys(codeGuides)).toContain(codeGuideIn(undefined, open))
})
