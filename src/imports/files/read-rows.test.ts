import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { aFolder } from '#test/product/fixture'
import { aZip, zipCountEnd } from '#test/outside/zip'
import { type FileRow, readRows } from './read-rows'

function aFile(name: string, content: string | Uint8Array): string {
  const path = join(aFolder(), name)
  writeFileSync(path, content)
  return path
}

async function all(...paths: string[]): Promise<FileRow[]> {
  const rows: FileRow[] = []
  for await (const row of readRows(paths)) rows.push(row)
  return rows
}

const contents = async (...paths: string[]) =>
  (await all(...paths)).map((one) => ('row' in one ? one.row : one.problem))

const lines = '{"a":1}\n\n{"a":"東京"}\n{"a":3}'
const three = [{ a: 1 }, { a: '東京' }, { a: 3 }]

test.each([
  ['lines of JSON', lines, three],
  ['lines of JSON with the mark of Windows', `\uFEFF${lines.replaceAll('\n', '\r\n')}`, three],
  ['a list', '[{"a":1},\n {"a":"東京"}, {"a":3}]', three],
  [
    'a list with texts that look like its end',
    '[{"a":"}]\\""},{"b":[{"c":{}}]}]',
    [{ a: '}]"' }, { b: [{ c: {} }] }],
  ],
  ['CSV', 'a,b\n1,"two, ""quoted""\nlines"\n', [{ a: '1', b: 'two, "quoted"\nlines' }]],
  ['lines with gzip', gzipSync(lines), three],
  ['gzip within gzip', gzipSync(gzipSync(lines)), three],
  ['a zip archive', aZip({ 'one.jsonl': lines, '__MACOSX/one.jsonl': 'x' }), three],
  ['gzip in a zip archive', aZip({ 'a/one.json.gz': gzipSync(lines) }), three],
  ['a stored file in a zip archive', aZip({ 'one.csv': 'a\n1\n' }, { isStored: true }), [{ a: '1' }]],
  ['nothing', '', []],
  ['a last line that is cut', '{"a":1}\n{"a":', [{ a: 1 }, 'not JSON, perhaps cut']],
  ['a list that is cut', '[{"a":1},{"a":', [{ a: 1 }, 'not JSON, perhaps cut']],
  ['lines of something else', '{"a":1}\n3\n[]', [{ a: 1 }, 'not an object', 'not an object']],
])('%s', async (_, content, rows) => expect(await contents(aFile('file', content))).toEqual(rows))

test('files are read one after the other, each by its content', async () => {
  const paths = [aFile('one', '{"a":1}'), aFile('two', 'a\n2\n')]
  expect(await contents(...paths)).toEqual([{ a: 1 }, { a: '2' }])
})

test.each([0, 3])('an archive of 65,536 entries and %i more is read to its end', async (more) => {
  const folders = Array.from({ length: zipCountEnd + more - 1 }, (_, index) => [`folder ${index}/`, ''])
  const archive = aZip({ ...Object.fromEntries(folders), 'one.jsonl': lines }, { isStored: true })
  expect(await contents(aFile('file', archive))).toEqual(three)
})

test('an archive that states fewer entries than it holds is refused', async () => {
  const archive = aZip({ 'one.jsonl': lines, 'two.jsonl': lines })
  archive.writeUInt16LE(1, archive.length - 12)
  await expect(all(aFile('file', archive))).rejects.toThrow('is cut or damaged')
})

test('a line beyond the limit is left out, and those around it are read', async () => {
  const long = `{"a":"${'x'.repeat(17 * 1024 ** 2)}"}`
  expect(await contents(aFile('long', `{"a":1}\n${long}\n{"a":3}`))).toEqual([
    { a: 1 },
    'longer than 16 MB',
    { a: 3 },
  ])
  expect(await contents(aFile('list', `[{"a":1},${long},{"a":3}]`))).toEqual([
    { a: 1 },
    'longer than 16 MB',
    { a: 3 },
  ])
})

test('an archive that unpacks to far more than it should is stopped', async () => {
  const part = gzipSync(Buffer.alloc(32 * 1024 ** 2, '{ '))
  const bomb = Buffer.concat(Array.from({ length: 10 }, () => part))
  await expect(all(aFile('bomb.gz', bomb))).rejects.toThrow('bomb.gz unpacks to more than 200 times its size')
})

/** Sets the flag of an archive's only file that says that it needs a password. */
function encrypted(archive: Buffer): Buffer {
  archive.writeUInt16LE(1, archive.indexOf('PK\x01\x02') + 8)
  return archive
}

test.each([
  ['gzip that is cut', gzipSync(lines.repeat(1000)).subarray(0, -20), 'is cut or damaged'],
  ['an archive that is cut', aZip({ 'one.jsonl': lines }).subarray(0, -10), 'is cut or damaged'],
  ['an archive with a password', encrypted(aZip({ 'one.jsonl': lines })), 'in a way that cannot be read'],
  ['Parquet', 'PAR1....', 'is Parquet'],
])('%s is refused with a sentence', async (_, content, message) => {
  await expect(all(aFile('file', content))).rejects.toThrow(message)
})

test('a file that is not there is named', async () => {
  await expect(all(join(aFolder(), 'gone.jsonl'))).rejects.toThrow('There is no file gone.jsonl.')
})
