import type { AnswerCell } from '#insights/kind'
import { csvLine, csvMark } from '#insights/csv'
import type { QuestionKind } from '../question'
import type { SurveyVersion } from '../survey'
import type { ResponseAnswer, SurveyResponse } from './responses'
import { type WorkbookCell, workbookOf } from './internal/workbook'

/** A column of an export: the newest text of a question, also of removed ones. */
interface ExportColumn {
  question: string
  text: string
  kind: QuestionKind
}

/** The parts of a survey that decide the columns of an export besides those that every response has. */
export interface ExportContent {
  versions: readonly SurveyVersion[]
  /** The names of hidden fields. */
  fields: readonly string[]
  /** The names of properties of persons. */
  personProperties: readonly string[]
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

/** Titled so that a field and a property of the same name stay apart. */
const furtherTitles = ({ fields, personProperties }: ExportContent): string[] => [
  'tags',
  ...fields.map((name) => `field: ${name}`),
  ...personProperties.map((name) => `person: ${name}`),
]

const furtherCells = (response: SurveyResponse, content: ExportContent): (string | null)[] => [
  response.tags.join('; ') || null,
  ...content.fields.map((name) => response.fields[name] ?? null),
  ...content.personProperties.map((name) => response.personProperties?.[name] ?? null),
]

function rowOf(
  response: SurveyResponse,
  columns: readonly ExportColumn[],
  content: ExportContent,
): AnswerCell[] {
  const answers = new Map(response.answers.map(({ question, answer }) => [question, answer]))
  return [
    ...about.map((field) => response[field]),
    ...columns.map(({ question }) => cellOf(answers.get(question))),
    ...furtherCells(response, content),
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
  content: ExportContent,
): AsyncGenerator<string> {
  const columns = columnsOf(content.versions)
  yield csvMark + csvLine([...about, ...columns.map(({ text }) => text), ...furtherTitles(content)])
  for await (const portion of portions)
    yield portion.map((response) => csvLine(rowOf(response, columns, content))).join('')
}

/** A workbook in which numbers are numbers and times are times. */
function xlsxExport(
  portions: AsyncIterable<readonly SurveyResponse[]>,
  content: ExportContent,
): AsyncGenerator<Uint8Array> {
  const columns = columnsOf(content.versions)
  const titles = about.map((field) => (isInstant(field) ? `${field} (UTC)` : field))
  return workbookOf({
    name: 'Responses',
    header: [...titles, ...columns.map(({ text }) => text), ...furtherTitles(content)],
    rows: workbookRows(portions, columns, content),
  })
}

async function* workbookRows(
  portions: AsyncIterable<readonly SurveyResponse[]>,
  columns: readonly ExportColumn[],
  content: ExportContent,
): AsyncGenerator<WorkbookCell[]> {
  for await (const portion of portions)
    for (const response of portion) yield workbookRow(response, columns, content)
}

function workbookRow(
  response: SurveyResponse,
  columns: readonly ExportColumn[],
  content: ExportContent,
): WorkbookCell[] {
  const answers = new Map(response.answers.map(({ question, answer }) => [question, answer]))
  return [
    ...about.map((field) => (isInstant(field) ? new Date(response[field]) : response[field])),
    ...columns.map(({ question, kind }) => {
      const answer = answers.get(question)
      if (typeof answer === 'boolean') return answer
      return kind === 'date' && typeof answer === 'string' ? { day: answer } : cellOf(answer)
    }),
    ...furtherCells(response, content),
  ]
}

const isInstant = (field: (typeof about)[number]): field is 'answeredAt' | 'startedAt' =>
  field === 'answeredAt' || field === 'startedAt'

/** Writes the responses as an array, while they are read. */
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

export const exportWriters: Readonly<
  Record<
    ExportFormat,
    {
      contentType: string
      write: (
        portions: AsyncIterable<readonly SurveyResponse[]>,
        content: ExportContent,
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
