import type { FlowProblem } from '#surveys/flow'
import { questionKinds } from '#surveys/kinds/question-kinds'
import type { Branch, SurveyQuestion } from '#surveys/question'
import type { SurveyContent } from '#surveys/survey'

const longest = 60

/** A question by its number and text; recalled answers are named, not shown as marks. */
export function questionName({ questions }: Pick<SurveyContent, 'questions'>, id: string): string {
  const index = questions.findIndex((question) => question.id === id)
  const question = questions[index]
  return question ? `${index + 1}. ${shownText(question.text) || 'Untitled question'}` : 'Removed question'
}

export function shownText(text: string): string {
  const plain = text
    .replaceAll(/\{\{answer:[^{}]*\}\}/g, '[answer]')
    .replaceAll(/\{\{field:([^{}]*)\}\}/g, '[$1]')
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain
}

/** The answers that a question can branch by, in words. */
export const branchKeyLabels = (question: SurveyQuestion): { key: string; label: string }[] =>
  questionKinds[question.kind].branches?.(question) ?? []

/** The value of a target in a list of options; branches come back from it by `branchFrom`. */
export const targetOf = (branch: Branch): string =>
  branch.kind === 'question'
    ? `question ${branch.question}`
    : branch.kind === 'end' && branch.card !== undefined
      ? `card ${branch.card}`
      : branch.kind

export function branchFrom(target: string): Branch {
  const [kind, id] = target.split(' ')
  if (kind === 'question' && id !== undefined) return { kind, question: id }
  if (kind === 'card' && id !== undefined) return { kind: 'end', card: id }
  return kind === 'end' ? { kind } : { kind: 'next' }
}

/** The targets of a question: the questions other than itself, and the ends. */
export function targetsFor(content: SurveyContent, id: string): { value: string; label: string }[] {
  const others = content.questions.filter((question) => question.id !== id)
  return [
    { value: 'next', label: 'The next question' },
    ...others.map((question) => ({
      value: targetOf({ kind: 'question', question: question.id }),
      label: questionName(content, question.id),
    })),
    { value: 'end', label: 'The end' },
    ...(content.endCards.length > 1
      ? content.endCards.map((card) => ({
          value: targetOf({ kind: 'end', card: card.id }),
          label: `End card “${shownText(card.header) || 'without a heading'}”`,
        }))
      : []),
  ]
}

export const flowProblemWords: Record<FlowProblem['problem'], string> = {
  'end-unreachable': 'No path leads from here to the end. Let one branch lead on, or end the survey.',
  'never-shown': 'No path leads to this question. Let a branch lead to it, or remove it.',
  loops: 'A path leads from this question back to it. Let its branches lead forward.',
}
