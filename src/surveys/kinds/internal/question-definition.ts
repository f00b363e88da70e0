import type { Answer, Choice, QuestionKind, QuestionOf } from '../../question'

type SharedField = 'id' | 'kind' | 'text' | 'description' | 'buttonText' | 'isRequired' | 'branching'

/** A kind of question as the builder and the server know it. */
export interface QuestionDefinition<Kind extends QuestionKind> {
  label: string
  /** One line below the label, where kinds are offered. */
  hint: string
  /** Set for kinds that posthog-js draws; it shows an empty box for every other. */
  isInPosthog?: true
  /** Set for kinds that need no answer: a new question is not required, and its answer is not recalled. */
  asksNothing?: true
  /** Returns the fields besides those of all questions, as the question is added. Only ids are left to chance. */
  blank: (choices: (...texts: string[]) => Choice[]) => Omit<QuestionOf<Kind>, SharedField>
  /** The answers that `by-answer` branches may name, in order; absent for kinds that cannot branch by answer. */
  branches?: (question: QuestionOf<Kind>) => AnswerBranch[]
  /** Finds fields that are valid one by one, and not beside each other. `named` is the question in a sentence. */
  problems?: (question: QuestionOf<Kind>, named: string) => { field: string; message: string }[]
  /** Reads an answer from the numbers of an address: values of a rating, or indexes of choices. */
  prefilled?: (question: QuestionOf<Kind>, numbers: readonly number[]) => Answer | undefined
}

interface AnswerBranch {
  key: string
  label: string
}

/** The branches of a question by its choices. */
export const choiceBranches = ({ choices }: { choices: readonly Choice[] }): AnswerBranch[] =>
  choices.map(({ id, text }) => ({ key: id, label: text || id }))

/** The texts of the choices with these indexes, each once; undefined without any. */
export function prefilledTexts(choices: readonly Choice[], numbers: readonly number[]): string[] | undefined {
  const texts = [...new Set(numbers)].flatMap((number) => choices[number]?.text ?? [])
  return texts.length === 0 ? undefined : texts
}
