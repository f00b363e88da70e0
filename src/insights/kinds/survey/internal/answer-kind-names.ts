/**
 * The kinds of questions whose answers are read, in the order in which the API describes them. Their names are apart from
 * `answerKinds`, which leads to the engine: pages read queries without it.
 */
export const answerKindNames = [
  'open',
  'rating',
  'single-choice',
  'multiple-choice',
  'link',
  'ranking',
  'matrix',
  'picture',
  'date',
  'contact',
  'consent',
  'statement',
] as const
