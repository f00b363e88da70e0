import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trackerScriptNames, siteParts } from '#wire/tracker-scripts'
import { flagsHead } from '#studio/connect/flags-head'
import { buildFlagsHead, buildTrackers } from './build'

let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tilth-trackers-'))
  await buildTrackers(folder)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const packedBytes = (name: string): number => brotliCompressSync(readFileSync(join(folder, name))).length

test.each([
  ['tilth.js', 2048],
  ['flags.js', 1600],
  ['site.js', 4096],
  ['site-decide.js', 1200],
  ['site-files.js', 4000],
  ['site-posthog.js', 400],
  ['vercel-insights.js', 1000],
  ['vercel-speed.js', 1200],
  ['plausible.js', 2600],
  ['umami.js', 1700],
  ['part-surveys.js', 1960],
  ['part-survey-moments.js', 1250],
  ['part-survey-more.js', 3220],
  ['part-survey-form.js', 8040],
])('%s takes at most %i bytes on the way to a page', (name, most) =>
  expect(packedBytes(name)).toBeLessThanOrEqual(most),
)

test('what pages with flags have in their head is what is built, and takes at most 300 bytes and a style', async () => {
  const script = await buildFlagsHead()
  expect(brotliCompressSync(script).length).toBeLessThanOrEqual(300)
  expect(flagsHead.endsWith(`<script>${script}</script>`)).toBe(true)
  expect(brotliCompressSync(flagsHead).length).toBeLessThanOrEqual(350)
})

test('the tag names the part that decides flags by its digest', () => {
  const digest = createHash('sha256')
    .update(readFileSync(join(folder, 'flags.js')))
    .digest('base64url')
  expect(readFileSync(join(folder, 'tilth.js'), 'utf8')).toContain(`"flags.js?${digest.slice(0, 4)}"`)
})

test('what shows a survey takes at most 9 kB', () =>
  expect(packedBytes('part-surveys.js') + packedBytes('part-survey-widget.js')).toBeLessThanOrEqual(9000))

test('all that a page of the site can ever load takes less than 30 KB', () => {
  const all = ['site.js', ...siteParts.map((part) => `${part}.js`)]
  expect(all.map(packedBytes).reduce((sum, bytes) => sum + bytes)).toBeLessThan(30_000)
})

test('every script that is served is built, and no other', () =>
  expect(readdirSync(folder).sort()).toEqual(trackerScriptNames.map((name) => `${name}.js`).sort()))

test('the name of a variant can be put into the script once, and nowhere else', () =>
  expect(readFileSync(join(folder, 'plausible.js'), 'utf8').split('"__TILTH_VARIANT__"')).toHaveLength(2))
