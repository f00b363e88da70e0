import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { kindNames } from '#insights/internal/kinds'
import { kindViews } from '#studio/insights/kinds'
import { codeIn } from './source-files'

const root = resolve(import.meta.dirname, '..')
const text = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The edits of a new kind besides its folders. The compiler asks for an entry in each of them. */
const lists = ['src/insights/internal/kinds.ts', 'src/studio/insights/kinds.ts', 'test/every-kind.ts']

const viewed = kindNames.filter((kind) => kindViews[kind] !== undefined)

/** Whether a text names a kind as a word of its own: a key, or a value. */
const names = (source: string, kind: string): boolean =>
  new RegExp(`^\\s+'?${kind}'?: |'${kind}'`, 'm').test(source)

const code = ['src', 'test']
  .flatMap((folder) => codeIn(root, folder))
  .filter((path) => /(?<!\.(?:test|contract))\.tsx?$/.test(path))

test('three lists name every kind that the studio draws, and no other does', () => {
  expect(code.filter((path) => viewed.every((kind) => names(text(path), kind)))).toEqual(lists)
})

test('no other file of the builder tells kinds apart', () => {
  const builder = code.filter((path) => /^src\/studio\/insights\/(?!kinds[/.])/.test(path))
  const telling = builder.filter((path) => viewed.filter((kind) => names(text(path), kind)).length > 1)
  expect(builder.length).toBeGreaterThan(30)
  expect(telling).toEqual([])
})

test('CONTRIBUTING.md says where a new kind is added', () => {
  const [row = ''] = text('CONTRIBUTING.md').match(/^\| an insight kind \|.*$/m) ?? []
  const [, copied = '', edited = ''] = row.split(' | ')
  expect(copied.match(/src\/[\w/]+/g)).toEqual([
    'src/insights/kinds/stickiness/',
    'src/studio/insights/kinds/stickiness/',
  ])
  expect(edited.split(';')[0]?.match(/(?:src|test)\/[\w/.-]+/g)).toEqual(lists)
})

test.each(kindNames)('the folder of %s has its schema, its answer and what makes it', (kind) => {
  const folder = `src/insights/kinds/${kind}`
  const has = (name: string) =>
    [`${folder}/${name}.ts`, `${folder}/internal/${name}.ts`].filter((path) => existsSync(join(root, path)))
  expect(has('schema')).toHaveLength(1)
  expect(has(kind)).toHaveLength(1)
})

test.each(viewed)('the folder of %s in the studio has its view, its form and its chart', (kind) => {
  const files = ['view.ts', 'LazyForm.tsx', 'Form.tsx', 'Chart.tsx'].map(
    (name) => `src/studio/insights/kinds/${kind}/${name}`,
  )
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
