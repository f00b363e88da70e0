import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
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

function utf16(text: string, end: 'le' | 'be'): Buffer {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le')
  return end === 'be' ? bytes.swap16() : bytes
}

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
  ['lines with zstd', zstdCompressSync(lines), three],
  [
    'two frames of zstd',
    Buffer.concat([zstdCompressSync('{"a":1}\n'), zstdCompressSync('{"a":2}')]),
    [{ a: 1 }, { a: 2 }],
  ],
  [
    'zstd with the frames of other programs',
    Buffer.concat([Buffer.from('502a4d18030000007879ff', 'hex'), zstdCompressSync(lines)]),
    three,
  ],
  ['UTF-16 of little end', utf16(lines, 'le'), three],
  ['UTF-16 of big end', utf16(lines, 'be'), three],
  ['CSV in UTF-16 with tabs, as Excel saves it', utf16('a\tb\r\n1\té\r\n', 'le'), [{ a: '1', b: 'é' }]],
  ['CSV with the mark of Windows', '\uFEFFa,b\n1,2\n', [{ a: '1', b: '2' }]],
  ['CSV with semicolons', 'a;b;c\n1;"2;3";4,5\n', [{ a: '1', b: '2;3', c: '4,5' }]],
  ['CSV with tabs', 'a\tb\n1\t2,3\n', [{ a: '1', b: '2,3' }]],
  ['commas in a quoted header with semicolons', '"a,b,c";d\n1;2\n', [{ 'a,b,c': '1', d: '2' }]],
  ['a header of one column', 'a\n1;2\n', [{ a: '1;2' }]],
  [
    'a last line that is cut within a letter',
    Buffer.from('{"a":1}\n{"a":"é').subarray(0, -1),
    [{ a: 1 }, 'not JSON, perhaps cut'],
  ],
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
  ['zstd that is cut', zstdCompressSync(lines.repeat(1000)).subarray(0, -20), 'is cut or damaged'],
  ['what begins as Parquet', 'PAR1....', 'is cut or damaged'],
  ['Parquet that is encrypted', 'PARE....', 'is Parquet that is encrypted, which cannot be read'],
  ['Avro', 'Obj\x01....', 'is Avro, which cannot be read'],
  ['bzip2', 'BZh91AY', 'is packed with bzip2, which cannot be read'],
  [
    'a workbook of Excel',
    aZip({ '[Content_Types].xml': '<xml/>', 'xl/a.xml': '<xml/>' }),
    'is a document of Office',
  ],
  [
    'Latin-1',
    Buffer.from('a,b\n1,2\n3,caf\xe9 au lait\n', 'latin1'),
    'file is not UTF-8: line 3 holds the byte E9',
  ],
  [
    'Latin-1 at its end',
    Buffer.from('a,b\n1,caf\xe9', 'latin1'),
    'file is not UTF-8: line 2 holds the byte E9',
  ],
  [
    'Latin-1 in lines of JSON',
    Buffer.from('{"a":1}\n{"a":"\xe9\xe8"}\n', 'latin1'),
    'line 2 holds the byte E9',
  ],
  ['a byte that no letter has', Buffer.from('a\n\xc3\xa9\xff\n', 'latin1'), 'line 2 holds the byte FF'],
  ['a letter that is cut', Buffer.from('a\n\xe2\x82 x\n', 'latin1'), 'line 2 holds the byte E2'],
  ['UTF-16 without its mark', Buffer.from('a,b\n1,2\n', 'utf16le'), 'UTF-16 without the mark'],
  ['UTF-16 that is cut', utf16('a\n1\n', 'le').subarray(0, -1), 'begins as UTF-16'],
])('%s is refused with a sentence', async (_, content, message) => {
  await expect(all(aFile('file', content))).rejects.toThrow(message)
})

test('brotli is known by its name', async () => {
  const packed = brotliCompressSync(lines)
  expect(await contents(aFile('a.jsonl.br', packed))).toEqual(three)
  expect(await contents(aFile('plain.br', lines))).toEqual(three)
  expect(await contents(aFile('archive.zip', aZip({ 'a.jsonl.br': packed })))).toEqual(three)
  await expect(all(aFile('cut.br', brotliCompressSync(lines.repeat(1000)).subarray(0, -5)))).rejects.toThrow(
    'cut.br is cut or damaged',
  )
  await expect(all(aFile('junk.br', Buffer.from('\xc3\x28 \xa0\xa1', 'latin1')))).rejects.toThrow(
    'junk.br is cut or damaged',
  )
})

const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

test.each([
  ['zstd', 'bomb.zst', zstdCompressSync],
  ['brotli', 'bomb.br', (bytes: Buffer) => brotliCompressSync(bytes, quickly)],
])('a bomb of %s is stopped', async (_, name, pack) => {
  const bomb = pack(Buffer.alloc(300 * 1024 ** 2, '{ '))
  await expect(all(aFile(name, bomb))).rejects.toThrow(`${name} unpacks to more than 200 times its size`)
})

test('a letter that two parts of a file share is whole', async () => {
  const letters = `a\n${'€'.repeat(100_000)}\n`
  expect(await contents(aFile('file', letters))).toEqual([{ a: '€'.repeat(100_000) }])
})

test('a file that is not there is named', async () => {
  await expect(all(join(aFolder(), 'gone.jsonl'))).rejects.toThrow('There is no file gone.jsonl.')
})
