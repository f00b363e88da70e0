import type { EndCard, SurveyScreen } from '../survey'
import { commonKinds } from '../kinds/common-kinds'
import { element } from './element'
import { findIn, type FindKind, type QuestionView } from '../kinds/kind-rules'
import type { PublicContent, PublicSurvey } from './public-survey'
import { rareKinds } from '../kinds/rare-kinds'
import { escapeHtml, formattedHtml, recall, type Recallable } from './recall'
import { mayGoBack, type SurveySession } from './session'
import { fillIn, type SurveyWords } from './words'
import type { SurveyQuestion } from '../question'

/** The state of a survey to draw. */
interface SurveyView {
  survey: Pick<PublicSurvey, 'id' | 'name' | 'language' | 'content'>
  session: SurveySession
  words: SurveyWords
  /** Hidden fields, by name. */
  fields: Readonly<Record<string, string>>
  problem?: string | undefined
  /** The address that the form is sent to without a script, and the fields that it carries along. */
  form?: { action: string; hidden: Readonly<Record<string, string>> }
  /** Whether a button closes the survey. */
  canClose?: boolean
  /** The address that the end leads back to. */
  backUrl?: string | undefined
}

/** The box of a survey with the screen that is due. */
export const surveyHtml = (view: SurveyView): string =>
  surveyHtmlBy(findIn(commonKinds, rareKinds), view, unseenFields(view))

/** Does the same as `surveyHtml`, with the rules of these kinds, and with the fields that the form carries along. */
export function surveyHtmlBy(find: FindKind, view: SurveyView, unseen = ''): string {
  const { survey, words, canClose } = view
  const close = element(
    'button',
    { type: 'button', class: 'close', 'aria-label': words.close, 'data-close': true },
    element('span', { 'aria-hidden': 'true' }, '×'),
  )
  return element(
    'section',
    {
      class: 'tilth-survey',
      id: surveyElementId(survey.id),
      'aria-label': survey.name,
      lang: survey.language,
      dir: 'auto',
      role: canClose ? 'dialog' : undefined,
    },
    canClose ? close : '',
    progressHtml(view),
    screenHtml(find, view, unseen),
  )
}

export const surveyElementId = (id: string): string => `tilth-survey-${id}`

function progressHtml({ survey, session, words }: SurveyView): string {
  const { screen, path } = session
  if (!survey.content.appearance.progressBar || screen.kind !== 'question') return ''
  const [value, max] = [path.length, survey.content.questions.length]
  return element('progress', { value, max, 'aria-label': fillIn(words.progress, screen.index + 1, max) })
}

function screenHtml(find: FindKind, view: SurveyView, unseen: string): string {
  const { survey, session, words } = view
  const { content } = survey
  const known = knownIn(view)
  if (session.screen.kind === 'end') return endHtml(endCardOf(content, session.screen.card), known, view)
  if (session.screen.kind === 'intro' && content.intro) {
    const button = submitHtml(recall(content.intro.buttonText, known) || words.start)
    return formHtml(
      view,
      textsHtml(content.intro, known),
      element('div', { class: 'buttons' }, button),
      unseen,
    )
  }
  const question = session.screen.kind === 'question' ? content.questions[session.screen.index] : undefined
  if (!question) return ''
  const isLast = session.screen.kind === 'question' && session.screen.index === content.questions.length - 1
  const back = element(
    'button',
    { type: 'submit', class: 'back', name: 'go', value: 'back' },
    escapeHtml(words.back),
  )
  const label = recall(question.buttonText, known) || (isLast ? words.submit : words.next)
  return formHtml(
    view,
    questionHtmlBy(find, { question, known, words, problem: view.problem }),
    // the enter key presses the first button of a form
    element('div', { class: 'buttons' }, submitHtml(label), mayGoBack(content, session) ? back : ''),
    unseen,
  )
}

const knownIn = ({ session, fields }: Pick<SurveyView, 'session' | 'fields'>): Recallable => ({
  answers: session.answers,
  fields,
})

const submitHtml = (label: string): string =>
  element('button', { type: 'submit', class: 'button' }, escapeHtml(label))

const formHtml = ({ form }: SurveyView, ...content: string[]): string =>
  // a problem stands beside its question, in its language
  element('form', { method: 'post', action: form?.action, novalidate: true }, ...content)

/** Only programs fill in the field that is out of sight. */
function unseenFields({ form }: SurveyView): string {
  if (!form) return ''
  const hidden = Object.entries(form.hidden).map(([name, value]) =>
    element('input', { type: 'hidden', name, value }),
  )
  const trap = element('input', { name: 'website', tabindex: -1, autocomplete: 'off' })
  const label = element('label', {}, 'Website', trap)
  return hidden.join('') + element('p', { class: 'hidden-text', 'aria-hidden': 'true' }, label)
}

const textsHtml = ({ header, description }: SurveyScreen, known: Recallable): string =>
  (header ? element('h2', { class: 'heading' }, escapeHtml(recall(header, known))) : '') +
  descriptionHtml(description, known)

/** Returns the address to which the end of a survey leads by itself. */
export const redirectOf = ({ link, redirects }: EndCard): string | undefined =>
  redirects && link.startsWith('https://') ? link : undefined

export const endCardOf = ({ endCards }: PublicContent, id: string | undefined): EndCard | undefined =>
  endCards.find((card) => card.id === id) ?? endCards[0]

function endHtml(card: EndCard | undefined, known: Recallable, { words, backUrl }: SurveyView): string {
  const link =
    card?.link.startsWith('https://') === true
      ? element(
          'a',
          {
            class: 'button',
            href: card.link,
            rel: 'noopener noreferrer',
          },
          escapeHtml(recall(card.buttonText, known) || words.next),
        )
      : ''
  const back =
    backUrl === undefined ? '' : element('p', {}, element('a', { href: backUrl }, escapeHtml(words.back)))
  const texts = card && (card.header || card.description.text)
  return element(
    'div',
    { class: 'screen', role: 'status' },
    texts ? textsHtml(card, known) : element('h2', { class: 'heading' }, escapeHtml(words.thanks)),
    link,
    back,
  )
}

/** A question's text, description and controls: a group that is named by the question. */
export const questionHtml = (view: QuestionView): string =>
  questionHtmlBy(findIn(commonKinds, rareKinds), view)

/** Does the same as `questionHtml`, with the rules of these kinds. */
function questionHtmlBy(find: FindKind, view: QuestionView): string {
  const { question, known, words, problem } = view
  const problemId = `problem.${question.id}`
  const { draw, isUnmarked } = find(question.kind)
  return element(
    'fieldset',
    { 'aria-describedby': problem !== undefined && problemId },
    element(
      'legend',
      { class: 'legend' },
      escapeHtml(recall(question.text, known)),
      question.isRequired || isUnmarked ? '' : ` <small>(${words.optional})</small>`,
    ),
    descriptionHtml(question.description, known),
    draw(question, known.answers[question.id], view),
    problem ? element('p', { id: problemId, class: 'problem', role: 'alert' }, escapeHtml(problem)) : '',
  )
}

/** The HTML of descriptions is sanitised where surveys are stored and sent. */
const descriptionHtml = (description: SurveyQuestion['description'], known: Recallable): string =>
  description.text === '' ? '' : element('div', { class: 'description' }, formattedHtml(description, known))
