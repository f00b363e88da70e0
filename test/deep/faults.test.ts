import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** The faults that taking events in must survive, as the names of tests call them. */
const faults = {
  C1: 'killed with -9, anywhere',
  C5: 'the engine crashes, hangs or has no memory',
  C7: 'a damaged journal',
  C11: 'what networks do to requests',
  C12: 'hostile bodies',
  C13: 'times that cannot be true',
  C20: 'a row that the engine will not take',
} as const

/** The faults that the names of tests and of groups of them begin with: `C5: …` or `C12, C13: …`. */
function faultsNamed(): ReadonlySet<string> {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !name.startsWith('faults'))
      .map((name) => join(root, folder, name)),
  )
  const names = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/['"`]((?:C\d+, )*C\d+): /g)])
  return new Set(names.flatMap(([, named = '']) => named.split(', ')))
}

test.each(Object.entries(faults))('a test is named after fault %s: %s', (fault) => {
  expect(faultsNamed()).toContain(fault)
})
