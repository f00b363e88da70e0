import type { SqlAnswer } from './kinds/sql/answer'

export { tableOf } from './kinds/sql/answer'

/** Rows that somebody asked for in SQL, told from the answers of other kinds. */
export const isSqlAnswer = (answer: unknown): answer is SqlAnswer =>
  typeof answer === 'object' &&
  answer !== null &&
  'columns' in answer &&
  'rows' in answer &&
  'isCut' in answer &&
  'read' in answer
