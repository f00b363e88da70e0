import { runInNewContext } from 'node:vm'
import { createRequire } from 'node:module'
import { transform } from 'esbuild'
import { describe, expect, test } from 'vitest'
import type { FlagKind } from '#flags/flag'
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
    for (const one of snippets.filter(({ language }) => language !== 'Shell'))
      await transform(one.code, { loader: 'jsx', format: 'esm' })
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

test('beside the script of Tilth, a flag is read by the request that the script does not make', async () => {
  const [tag, asking] = codeGuideNamed('script', open).snippets(snippetOptions('switch'))
  expect(tag?.code).toContain(`src="${address}/_tilth/script.js" data-project="${writeKey}"`)
  const requests: string[] = []
  const counted: unknown[] = []
  const page = {
    URLSearchParams,
    fetch: (url: string) => {
      requests.push(url)
      return Promise.resolve(Response.json({ flags: { 'new-checkout': true }, payloads: {} }))
    },
    tilth: { track: (...words: unknown[]) => counted.push(words) },
  }
  // the value that is counted is the one that was answered
  await runInNewContext(`(async () => {${asking?.code}})()`, page)
  expect(requests).toEqual([`${address}/_tilth/flags?key=${writeKey}&flags=new-checkout`])
  const props = { $feature_flag: 'new-checkout', $feature_flag_response: true }
  expect(counted).toEqual([['$feature_flag_called', { props }]])
})

test('a secret is shown to servers alone', () => {
  expect(codeGuidesFor({ isSecret: true })).toEqual(['posthog-node'])
  expect(codeGuideIn('posthog-js', { isSecret: true })).toBe('posthog-node')
  const [snippet] = codeGuideNamed('posthog-node', { isSecret: true }).snippets(
    snippetOptions('config', true),
  )
  expect(snippet?.code).toContain(`getRemoteConfigPayload('new-checkout')`)
})

test('an address that names no client shows the first', () => {
  expect(codeGuideIn('nonsense', open)).toBe('posthog-js')
  expect(codeGuideIn('http', open)).toBe('http')
  expect(Object.keys(codeGuides)).toContain(codeGuideIn(undefined, open))
})
