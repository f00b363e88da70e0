import { fieldName } from '#surveys/internal/form-fields'
import { element } from '#surveys/run/element'
import { escapeHtml, recall } from '#surveys/run/recall'
import type { KindRules } from '../kind-rules'
import { partsIn, partsOf, recordIn } from '../internal/answer-parts'

export const matrix: KindRules<'matrix'> = {
  /** Radio buttons are named by row and column; on a narrow survey each row becomes a line of them. */
  draw(question, answer, { known }) {
    const given = partsOf(answer)
    const heads = question.columns.map(({ text }) => element('th', { scope: 'col' }, escapeHtml(text)))
    const corner = element(
      'th',
      { scope: 'col' },
      element('span', { class: 'hidden-text' }, escapeHtml(recall(question.text, known))),
    )
    const rows = question.rows.map((row) => {
      const cells = question.columns.map((column) =>
        element(
          'td',
          {},
          element(
            'label',
            { 'data-column': column.text },
            element('input', {
              type: 'radio',
              name: fieldName(question, row.id),
              value: column.id,
              checked: given[row.id] === column.id,
              required: question.isRequired,
              'aria-label': `${row.text}: ${column.text}`,
            }),
          ),
        ),
      )
      return element('tr', {}, element('th', { scope: 'row' }, escapeHtml(row.text)), ...cells)
    })
    const table = element(
      'table',
      {},
      element('thead', {}, element('tr', {}, corner, ...heads)),
      element('tbody', {}, ...rows),
    )
    return element('div', { class: 'matrix' }, table)
  },
  read: ({ rows }, { text }) => partsIn(rows.map(({ id }) => [id, text(id)])),
  check({ rows, columns, isRequired }, answer, words) {
    const answered = recordIn(answer)
    if (!answered) return words.notAChoice
    const isKnown = Object.entries(answered).every(
      ([row, column]) => rows.some(({ id }) => id === row) && columns.some(({ id }) => id === column),
    )
    if (!isKnown) return words.notAChoice
    return isRequired && rows.some(({ id }) => !answered[id]) ? words.answerEachRow : undefined
  },
}
