import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aSetWorld } from '#test/product/ingest-fixture'
import { aFlag } from '#test/random/random-flags'
import { Seal } from './seal'
import { operator } from '#projects/access'
import { OverrideLinks } from './override-links'

const ana = operator('ana')

function aMaker(seed = 'tilth') {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-trying-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const world = aSetWorld('2026-03-02T12:00:00.000Z', seed)
  const colour = aFlag({ key: 'colour', variants: [{ key: 'blue', name: '', percentage: 100 }] })
  const gone = aFlag({ key: 'gone', archivedAt: new Date(0) })
  const flags = [colour, aFlag({ key: 'cta' }), gone]
  const find = (_projectId: number, key: string) => flags.find((flag) => flag.key === key)
  const links = new OverrideLinks({ seal: new Seal({ folder, world }), world, definitions: { find } })
  return { links, world }
}

async function aToken({ links }: ReturnType<typeof aMaker>, input: object): Promise<string> {
  const made = await links.make(1, input, ana)
  if (!made.done) throw new Error(made.problems[0]?.message)
  expect(made.link.path).toMatch(/^\/_tilth\/qa\?link=[\w.-]+$/)
  return made.link.path.slice('/_tilth/qa?link='.length)
}

test('a link says what it was made for, until it is over', async () => {
  const maker = aMaker()
  const token = await aToken(maker, { values: { colour: 'blue', cta: false }, hours: 2 })
  const until = new Date('2026-03-02T14:00:00.000Z')
  expect(maker.links.read(token)).toEqual({ projectId: 1, values: { colour: 'blue', cta: false }, until })
  maker.world.set('2026-03-02T14:00:00.000Z')
  expect(maker.links.read(token)).toBeUndefined()
})

test('only this server can create or change one', async () => {
  const maker = aMaker()
  const token = await aToken(maker, { values: { cta: true } })
  const foreign = await aToken(aMaker('another'), { values: { cta: true } })
  const middle = Math.floor(token.length / 2)
  const changed = token.slice(0, middle) + (token[middle] === 'A' ? 'B' : 'A') + token.slice(middle + 1)
  for (const other of [changed, foreign, token.slice(0, -8), '', 'x', '"', 'x'.repeat(10_000)])
    expect(maker.links.read(other)).toBeUndefined()
})

test.each([
  [{ values: {} }, 'Name a flag.'],
  [{ values: { none: true } }, 'There is no flag "none" in this project.'],
  [{ values: { gone: true } }, 'There is no flag "gone" in this project.'],
  [{ values: { colour: 'red' } }, 'The flag "colour" has no variant "red".'],
  [{ values: { cta: 1 } }, 'Say true, false or the key of a variant.'],
  [{ values: { cta: true }, hours: 0 }, 'Choose at least an hour.'],
  [{ values: { cta: true }, hours: 1000 }, 'Choose at most 30 days.'],
  [{ values: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [n, true])) }, 'Name at most 20 flags.'],
])('%o is answered by a sentence', async (input, message) => {
  const made = await aMaker().links.make(1, input, ana)
  expect(made).toMatchObject({ done: false, problems: [{ message }] })
})
