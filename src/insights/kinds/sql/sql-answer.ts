import type { SqlAnswer } from './answer'

export { tableOf } from './answer'

/** Whether an answer is the rows of a SQL question. */
export const isSqlAnswer = (answer: unknown): answer is SqlAnswer =>
  typeof answer === 'object' &&
  answer !== null &&
  'columns' in answer &&
  'rows' in answer &&
  'isCut' in answer &&
  'read' in answer
