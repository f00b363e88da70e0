import type { AnswerCell } from '#insights/kind'
import { csvLine, csvMark } from '#insights/csv'
import type { QuestionKind } from '../question'
import type { SurveyVersion } from '../survey'
import type { ResponseAnswer, SurveyResponse } from './responses'
import { type WorkbookCell, workbookOf } from './workbook'

/** A column of an export: the newest text of a question, also of removed ones. */
interface ExportColumn {
  question: string
  text: string
  kind: QuestionKind
}

const columnsOf = (versions: readonly SurveyVersion[]): ExportColumn[] => {
  const columns = new Map<string, ExportColumn>()
  for (const { content } of versions.toSorted((one, other) => other.version - one.version))
    for (const { id, text, kind } of content.questions)
      if (kind !== 'statement' && !columns.has(id)) columns.set(id, { question: id, text, kind })
  return [...columns.values()]
}

const about = [
  'id',
  'answeredAt',
  'startedAt',
  'state',
  'person',
  'distinctId',
  'version',
  'language',
  'path',
  'country',
  'browser',
  'device',
] as const

function rowOf(response: SurveyResponse, columns: readonly ExportColumn[]): AnswerCell[] {
  const answers = new Map(response.answers.map(({ question, answer }) => [question, answer]))
  return [
    ...about.map((field) => response[field]),
    ...columns.map(({ question }) => cellOf(answers.get(question))),
  ]
}

function cellOf(answer: ResponseAnswer['answer'] | undefined): AnswerCell {
  if (answer === undefined) return null
  if (typeof answer === 'number' || typeof answer === 'string') return answer
  if (typeof answer === 'boolean') return String(answer)
  if (isList(answer)) return answer.join('; ')
  return Object.entries(answer)
    .map(([name, text]) => `${name}: ${text}`)
    .join('; ')
}

const isList = (answer: readonly string[] | Readonly<Record<string, string>>): answer is readonly string[] =>
  Array.isArray(answer)

/** Cells that a spreadsheet would run as a formula are written as texts. */
export async function* csvExport(
  portions: AsyncIterable<readonly SurveyResponse[]>,
  versions: readonly SurveyVersion[],
): AsyncGenerator<string> {
  const columns = columnsOf(versions)
  yield csvMark + csvLine([...about, ...columns.map(({ text }) => text)])
  for await (const portion of portions)
    yield portion.map((response) => csvLine(rowOf(response, columns))).join('')
}

/** A workbook in which numbers are numbers and times are times. */
function xlsxExport(
  portions: AsyncIterable<readonly SurveyResponse[]>,
  versions: readonly SurveyVersion[],
): AsyncGenerator<Uint8Array> {
  const columns = columnsOf(versions)
  const titles = about.map((field) => (isInstant(field) ? `${field} (UTC)` : field))
  return workbookOf({
    name: 'Responses',
    header: [...titles, ...columns.map(({ text }) => text)],
    rows: workbookRows(portions, columns),
  })
}

async function* workbookRows(
  portions: AsyncIterable<readonly SurveyResponse[]>,
  columns: readonly ExportColumn[],
): AsyncGenerator<WorkbookCell[]> {
  for await (const portion of portions) for (const response of portion) yield workbookRow(response, columns)
}

function workbookRow(response: SurveyResponse, columns: readonly ExportColumn[]): WorkbookCell[] {
  const answers = new Map(response.answers.map(({ question, answer }) => [question, answer]))
  return [
    ...about.map((field) => (isInstant(field) ? new Date(response[field]) : response[field])),
    ...columns.map(({ question, kind }) => {
      const answer = answers.get(question)
      if (typeof answer === 'boolean') return answer
      return kind === 'date' && typeof answer === 'string' ? { day: answer } : cellOf(answer)
    }),
  ]
}

const isInstant = (field: (typeof about)[number]): field is 'answeredAt' | 'startedAt' =>
  field === 'answeredAt' || field === 'startedAt'

/** One array, written as it is read. */
export async function* jsonExport(
  portions: AsyncIterable<readonly SurveyResponse[]>,
): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const portion of portions)
    for (const response of portion) {
      yield separator + JSON.stringify(response)
      separator = ',\n'
    }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

export const exportFormats = ['csv', 'xlsx', 'json'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** How each format is written, and what it is called. */
export const exportWriters: Readonly<
  Record<
    ExportFormat,
    {
      contentType: string
      write: (
        portions: AsyncIterable<readonly SurveyResponse[]>,
        versions: readonly SurveyVersion[],
      ) => AsyncGenerator<string | Uint8Array>
    }
  >
> = {
  csv: { contentType: 'text/csv; charset=utf-8', write: csvExport },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: xlsxExport,
  },
  json: { contentType: 'application/json', write: jsonExport },
}
