import { crc32, inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type WorkbookCell, workbookOf } from './workbook'

async function bytesOf(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const part of parts) chunks.push(part)
  return Buffer.concat(chunks)
}

/** Reads an archive by its directory, as every program does. */
function filesIn(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  const files = new Map<string, string>()
  let at = archive.readUInt32LE(end + 16)
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    expect(archive.readUInt32LE(at)).toBe(0x02_01_4b_50)
    const [checksum, packed, size] = [16, 20, 24].map((offset) => archive.readUInt32LE(at + offset))
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const offset = archive.readUInt32LE(at + 42)
    const start = offset + 30 + archive.readUInt16LE(offset + 26)
    const content = inflateRawSync(archive.subarray(start, start + (packed ?? 0)))
    expect([name, content.length, crc32(content)]).toEqual([name, size, checksum])
    files.set(name, content.toString('utf8'))
    at += 46 + nameLength
  }
  expect(at).toBe(end)
  return files
}

async function* given(rows: Iterable<readonly WorkbookCell[]>) {
  yield* rows
}

const sheetWith = async (rows: Iterable<readonly WorkbookCell[]>) =>
  filesIn(await bytesOf(workbookOf({ name: 'Responses', header: ['A & B'], rows: given(rows) })))

const cellOf = async (cell: WorkbookCell) => {
  const files = await sheetWith([[cell]])
  return /<row>(?!.*<row>)(.*)<\/row>/.exec(files.get('xl/worksheets/sheet1.xml') ?? '')?.[1]
}

test('a workbook has one sheet with a header, and the parts that spreadsheets need', async () => {
  const files = await sheetWith([['one'], ['two']])
  expect([...files.keys()]).toEqual([
    'xl/worksheets/sheet1.xml',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    '_rels/.rels',
    '[Content_Types].xml',
  ])
  const sheet = files.get('xl/worksheets/sheet1.xml')
  expect(sheet).toContain('A &amp; B')
  expect(sheet?.match(/<row>/g)).toHaveLength(3)
  expect(files.get('xl/workbook.xml')).toContain('<sheet name="Responses" sheetId="1" r:id="rId1"/>')
})

test.each<[string, WorkbookCell, string]>([
  ['a number', 9, '<c><v>9</v></c>'],
  ['nothing', null, '<c/>'],
  ['a consent', true, '<c t="b"><v>1</v></c>'],
  ['an instant', new Date('2026-03-02T12:00:00Z'), '<c s="2"><v>46083.5</v></c>'],
  ['a day', { day: '2026-03-02' }, '<c s="3"><v>46083</v></c>'],
  ['no day', { day: '2026-13-99' }, text('2026-13-99')],
  ['a day before spreadsheets', { day: '1899-01-01' }, text('1899-01-01')],
  ['a formula', '=HYPERLINK("https://bad.example")', text('=HYPERLINK("https://bad.example")')],
  ['markup', '<b>&</b>', text('&lt;b&gt;&amp;&lt;/b&gt;')],
  ['what XML cannot hold', 'a\u0000b\u001Bc\uD800', text('abc\uFFFD')],
  ['an escape of spreadsheets', 'a_x000D_b', text('a_x005F_x000D_b')],
  ['spaces', ' a ', text(' a ')],
])('%s is written as what it is', async (_, cell, xml) => {
  expect(await cellOf(cell)).toBe(xml)
})

function text(written: string): string {
  return `<c t="inlineStr"><is><t xml:space="preserve">${written}</t></is></c>`
}

test.each([
  [4, 2],
  [5, 3],
])('%i rows go on in sheet %i where a sheet holds two', async (count, sheets) => {
  const rows = Array.from({ length: count }, (_, row) => [row])
  const workbook = workbookOf({ name: 'Responses', header: ['Row'], rows: given(rows) }, 2)
  const files = filesIn(await bytesOf(workbook))
  const written = [...files].filter(([name]) => name.startsWith('xl/worksheets/')).map(([, sheet]) => sheet)
  expect(written).toHaveLength(sheets)
  expect(written.join('').match(/<v>\d<\/v>/g)).toEqual(rows.map(([row]) => `<v>${row}</v>`))
  expect(files.get('xl/workbook.xml')).toContain(`name="Responses ${sheets}" sheetId="${sheets}"`)
  expect(files.get('[Content_Types].xml')).toContain(`/xl/worksheets/sheet${sheets}.xml`)
})

test('a failure on the way is not a complete archive', async () => {
  const rows = async function* (): AsyncGenerator<WorkbookCell[]> {
    yield ['one']
    throw new Error('The engine is away.')
  }
  const workbook = workbookOf({ name: 'Responses', header: [], rows: rows() })
  await expect(bytesOf(workbook)).rejects.toThrow('The engine is away.')
})
