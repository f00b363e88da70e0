import { pairOf } from '#insights/kinds/survey/codes'
import type { AnsweredQuestionShape } from '#insights/kinds/survey/survey'
import type { SurveyVersion } from '#surveys/survey'
import { listOf } from '#surveys/translate'
import { type AnswerDefinition, idsOf, isTextsByName, parseRecord } from '../internal/answer-definition'

export const matrix: AnswerDefinition<'matrix'> = {
  accepts: isTextsByName,
  parse: parseRecord,
  spec: ({ rows, columns }) => ({ rows: idsOf(rows), columns: idsOf(columns) }),
  results: (shape, { counts }, versions) => {
    const byCode = new Map(counts.map(([code, count]) => [pairOf(code).join(' '), count]))
    const named = (of: 'rows' | 'columns') =>
      shape[of].map((id) => ({ id, text: optionText(id, of, shape, versions) }))
    return {
      matrix: {
        rows: named('rows'),
        columns: named('columns'),
        counts: shape.rows.map((_, row) =>
          shape.columns.map((__, column) => byCode.get(`${row + 1} ${column + 1}`) ?? 0),
        ),
      },
    }
  },
  counted: ({ matrix: table }) =>
    table?.rows.flatMap((row, i) =>
      table.columns.map((column, j) => ({
        answer: `${row.text}: ${column.text}`,
        count: table.counts[i]?.[j] ?? 0,
      })),
    ) ?? [],
}

export interface MatrixResults {
  rows: { id: string; text: string }[]
  columns: { id: string; text: string }[]
  /** The counts by row, then by column. */
  counts: number[][]
}

/** The latest text of a row or a column; removed ones keep their last text. */
function optionText(
  wanted: string,
  of: 'rows' | 'columns',
  { id }: AnsweredQuestionShape,
  versions: readonly SurveyVersion[],
): string {
  const newestFirst = versions.toSorted((one, other) => other.version - one.version)
  for (const { content } of newestFirst) {
    const question = content.questions.find((one) => one.id === id)
    const found = question && listOf(question, of).find((option) => option.id === wanted)
    if (found) return found.text
  }
  return wanted
}
