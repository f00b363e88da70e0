import type { AnswerCell } from '#insights/kind'
import { csvLine, csvMark } from '#insights/csv'
import type { SurveyVersion } from '../survey'
import type { ResponseAnswer, SurveyResponse } from './responses'

/** A column of an export: the newest text of a question, also of removed ones. */
interface ExportColumn {
  question: string
  text: string
}

const columnsOf = (versions: readonly SurveyVersion[]): ExportColumn[] => {
  const columns = new Map<string, ExportColumn>()
  for (const { content } of versions.toSorted((one, other) => other.version - one.version))
    for (const { id, text, kind } of content.questions)
      if (kind !== 'statement' && !columns.has(id)) columns.set(id, { question: id, text })
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
