import type { Question } from '../question'
import { commonKinds } from './common-kinds'
import { element } from './element'
import { type FindKind, findIn, type QuestionView } from './kind-rules'
import { rareKinds } from './rare-kinds'
import { escapeHtml, formattedHtml, recall, type Recallable } from './recall'

/** A question's text, description and controls: a group that is named by the question. */
export const questionHtml = (view: QuestionView): string =>
  questionHtmlBy(findIn(commonKinds, rareKinds), view)

/** Does the same as `questionHtml`, with the rules of these kinds. */
export function questionHtmlBy(find: FindKind, view: QuestionView): string {
  const { question, known, words, problem } = view
  const problemId = `problem.${question.id}`
  const hasMark = !question.isRequired && question.kind !== 'statement' && question.kind !== 'link'
  return element(
    'fieldset',
    { 'aria-describedby': problem !== undefined && problemId },
    element(
      'legend',
      { class: 'legend' },
      escapeHtml(recall(question.text, known)),
      hasMark ? ` <small>(${words.optional})</small>` : '',
    ),
    descriptionHtml(question.description, known),
    find(question.kind).draw(question, known.answers[question.id], view),
    problem ? element('p', { id: problemId, class: 'problem', role: 'alert' }, escapeHtml(problem)) : '',
  )
}

/** The HTML of descriptions is sanitised where surveys are stored and sent. */
export const descriptionHtml = (description: Question['description'], known: Recallable): string =>
  description.text === '' ? '' : element('div', { class: 'description' }, formattedHtml(description, known))
