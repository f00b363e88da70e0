import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { kindNames } from '#insights/internal/kinds'
import { kindViews } from '#studio/insights/kinds'
import { codeIn } from './source-files'

const root = resolve(import.meta.dirname, '../..')
const text = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The edits of a new kind besides its folders. The compiler asks for an entry in each of them. */
const lists = ['src/insights/internal/kinds.ts', 'src/studio/insights/kinds.ts', 'test/product/every-kind.ts']

const viewed = kindNames.filter((kind) => kindViews[kind] !== undefined)

/** Whether a text names a kind as a word of its own: a key, or a value. */
const names = (source: string, kind: string): boolean =>
  new RegExp(`^\\s+'?${kind}'?: |'${kind}'`, 'm').test(source)

const code = ['src', 'test']
  .flatMap((folder) => codeIn(root, folder))
  .filter((path) => /(?<!\.(?:test|contract|cases))\.tsx?$/.test(path))

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

/** `modules.ts` lists the files of these folders, and `architecture.test.ts` asks for them. */
test('each kind has a folder, and each that the studio draws has one there', () => {
  const foldersIn = (path: string) =>
    readdirSync(join(root, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .toSorted()
  expect(foldersIn('src/insights/kinds')).toEqual(kindNames.toSorted())
  expect(foldersIn('src/studio/insights/kinds')).toEqual(viewed.toSorted())
})
