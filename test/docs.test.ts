import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { projectViews, viewNames } from '../src/engine/project-views'
import { operatorNames } from '../src/filters/vocabulary'
import { kindNames } from '../src/insights/kinds'
import { commandLine } from '../src/server/command-line'
import { settingNames } from '../src/server/config'

const root = resolve(import.meta.dirname, '..')
const page = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8')

/** What the rows of a page's tables begin with. */
const rows = (text: string, named: RegExp): string[] =>
  Array.from(text.matchAll(new RegExp(`^\\| \`${named.source}\` \\|`, 'gm')), ([, name = '']) => name).sort()

const sorted = (names: readonly string[]): string[] => names.toSorted((one, other) => (one < other ? -1 : 1))

test('docs/settings.md explains every setting and no other', () => {
  expect(rows(page('settings.md'), /([A-Z_]+)/)).toEqual(sorted(settingNames))
})

test('docs/commands.md explains every command and no other', () => {
  const tilth = commandLine({ root, programs: join(root, 'dist') }, '0.0.0')
  expect(rows(page('commands.md'), /tilth ([a-z-]+)/)).toEqual(
    sorted(tilth.commands.map((command) => command.name())),
  )
})

test('docs/questions.md explains every kind and every operator, and no other', () => {
  const text = page('questions.md')
  const under = (heading: string) => text.split(`## ${heading}`)[1]?.split('\n## ')[0] ?? ''
  expect(rows(under('Kinds'), /([a-z]+)/)).toEqual(sorted(kindNames))
  expect(rows(under('Filters'), /([a-z_]+)/)).toEqual(sorted(operatorNames))
})

test.each(viewNames)('docs/sql.md says of every column of %s what it is', (view) => {
  const [, section = ''] = page('sql.md').split(`### ${view}\n`)
  const [table = ''] = section.split('\n##')
  const told = table.split('\n').filter((line) => line.startsWith('| `'))
  const { about, columns } = projectViews[view]
  expect(told).toEqual(
    Object.entries(columns).map(([name, column]) => `| \`${name}\` | ${column.type} | ${column.about} |`),
  )
  expect(table).toContain(about.replace(/\.$/, ''))
})

test('no page names a setting that does not exist', () => {
  const named = ['settings.md', 'commands.md'].flatMap(
    (name) => page(name).match(/\bTILTH_[A-Z_]*[A-Z]\b/g) ?? [],
  )
  expect(named.filter((name) => !settingNames.some((setting) => setting === name))).toEqual([])
})

test('a row that is missing and a row too many would be seen', () => {
  expect(rows('| `PORT` | x |\n| `NOT_A_SETTING` | y |', /([A-Z_]+)/)).toEqual(['NOT_A_SETTING', 'PORT'])
})
