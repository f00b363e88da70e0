import { type ZipEntry, zipArchive } from './zip'

/** A cell of a spreadsheet. A `Date` is an instant, shown in UTC; a `day` is `YYYY-MM-DD`. */
export type WorkbookCell = string | number | boolean | Date | { day: string } | null

interface WorkbookSheet {
  name: string
  header: readonly string[]
  rows: AsyncIterable<readonly WorkbookCell[]>
}

/** A sheet ends here and another goes on: a spreadsheet has 1,048,576 rows, and an archive's files have at most 4 GB. */
const mostRows = 1_000_000
const mostCharacters = 1_000_000_000
/** Rows are compressed together: each call of the compressor costs more than a row. */
const portionLength = 65_536
/** The limit of a cell's length. https://support.microsoft.com/office/1672b34d-7043-467e-8e27-269d656771c3 */
const mostInCell = 32_767

/** Writes a workbook for spreadsheets (Office Open XML) while its rows are read. Texts are never formulas. */
export const workbookOf = (sheet: WorkbookSheet, rowsOfSheet = mostRows): AsyncGenerator<Uint8Array> =>
  zipArchive(filesOf(sheet, rowsOfSheet))

async function* filesOf(
  { name, header, rows }: WorkbookSheet,
  rowsOfSheet: number,
): AsyncGenerator<ZipEntry> {
  const iterator = rows[Symbol.asyncIterator]()
  const state: ReadingState = { next: await iterator.next(), rowsOfSheet }
  const names: string[] = []
  do {
    names.push(names.length === 0 ? name : `${name} ${names.length + 1}`)
    yield { name: `xl/worksheets/sheet${names.length}.xml`, parts: sheetXml(header, iterator, state) }
  } while (!state.next.done)
  yield { name: 'xl/styles.xml', parts: [stylesXml] }
  yield { name: 'xl/workbook.xml', parts: [workbookXml(names)] }
  yield { name: 'xl/_rels/workbook.xml.rels', parts: [workbookRelations(names)] }
  yield { name: '_rels/.rels', parts: [packageRelations] }
  yield { name: '[Content_Types].xml', parts: [contentTypes(names)] }
}

/** The row that comes next, which may belong to the next sheet. */
interface ReadingState {
  next: IteratorResult<readonly WorkbookCell[], unknown>
  rowsOfSheet: number
}

async function* sheetXml(
  header: readonly string[],
  rows: AsyncIterator<readonly WorkbookCell[]>,
  state: ReadingState,
): AsyncGenerator<string> {
  yield (
    `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
      `<cols><col min="1" max="${Math.max(1, header.length)}" width="20"/></cols><sheetData>` +
      `<row>${header.map((text) => textCell(text, styles.header)).join('')}</row>`
  )
  let characters = 0
  let portion = ''
  for (let count = 0; count < state.rowsOfSheet && characters < mostCharacters; count++) {
    if (state.next.done) break
    const row = `<row>${state.next.value.map(cellXml).join('')}</row>`
    characters += row.length
    portion += row
    if (portion.length > portionLength) {
      yield portion
      portion = ''
    }
    state.next = await rows.next()
  }
  yield portion
  yield '</sheetData></worksheet>'
}

const styles = { header: 1, instant: 2, day: 3 } as const

function cellXml(cell: WorkbookCell): string {
  if (cell === null || cell === '') return '<c/>'
  if (typeof cell === 'number') return Number.isFinite(cell) ? `<c><v>${cell}</v></c>` : '<c/>'
  if (typeof cell === 'boolean') return `<c t="b"><v>${Number(cell)}</v></c>`
  if (typeof cell === 'string') return textCell(cell)
  const at = cell instanceof Date ? cell.getTime() : dayMs(cell.day)
  if (Number.isNaN(at)) return cell instanceof Date ? '<c/>' : textCell(cell.day)
  return `<c s="${cell instanceof Date ? styles.instant : styles.day}"><v>${serialOf(at)}</v></c>`
}

const textCell = (text: string, style?: number): string =>
  `<c t="inlineStr"${style === undefined ? '' : ` s="${style}"`}><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`

/** Spreadsheets know no day before 1900, and count them wrongly until March of that year. */
const dayMs = (day: string): number => (day >= '1900-03-01' ? Date.parse(`${day}T00:00:00Z`) : Number.NaN)

/** Days since 30 December 1899. */
const serialOf = (ms: number): number => ms / 86_400_000 + 25_569

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Leaves out what XML 1.0 cannot hold. `_x000D_` in a text would be read as the character of that number. */
const escapeText = (text: string): string =>
  text
    .slice(0, mostInCell)
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(/[&<>]/g, (character) => entities[character] ?? '')

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const typeOf = (part: string) => `application/vnd.openxmlformats-officedocument.spreadsheetml.${part}+xml`

const stylesXml = `${declaration}<styleSheet xmlns="${main}">
<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

const workbookXml = (names: readonly string[]): string =>
  `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${names
    .map((name, i) => `<sheet name="${escapeText(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
    .join('')}</sheets></workbook>`

const workbookRelations = (names: readonly string[]): string =>
  relationsXml([
    ...names.map((_, i) => ({ type: 'worksheet', target: `worksheets/sheet${i + 1}.xml` })),
    { type: 'styles', target: 'styles.xml' },
  ])

const relationsXml = (list: readonly { type: string; target: string }[]): string =>
  `${declaration}<Relationships xmlns="${packages}/relationships">${list
    .map(
      ({ type, target }, i) =>
        `<Relationship Id="rId${i + 1}" Type="${relations}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

const packageRelations = relationsXml([{ type: 'officeDocument', target: 'xl/workbook.xml' }])

const contentTypes = (names: readonly string[]): string =>
  `${declaration}<Types xmlns="${packages}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${typeOf('sheet.main')}"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${typeOf('styles')}"/>${names
    .map(
      (_, i) =>
        `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="${typeOf('worksheet')}"/>`,
    )
    .join('')}</Types>`
