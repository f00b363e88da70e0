import type { KindRules } from '../kind-rules'

export const statement: KindRules<'statement'> = {
  draw: () => '',
  read: () => undefined,
  check: (_question, _answer, words) => words.takesNoAnswer,
  missing: () => undefined,
  isUnmarked: true,
}
