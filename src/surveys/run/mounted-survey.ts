import type { Answers, SurveyQuestion } from '../question'
import { answerFromFormBy } from './answer-from-form'
import { answerProblemBy, isEmptyAnswer } from './check-answer'
import type { FindKind } from '../kinds/kind-rules'
import type { PublicContent, PublicSurvey } from './public-survey'
import {
  answerQuestion,
  answersOnPath,
  beginSession,
  goBack,
  leaveIntro,
  type SurveySession,
} from './session'
import { surveyHtmlBy } from './survey-html'
import type { SurveyWords } from './words'

/** A survey as our endpoint sends it. */
export interface ServedSurvey extends PublicSurvey {
  words: SurveyWords
}

type SurveyTrigger = 'shown' | 'answers' | 'dismissed' | 'abandoned'

type Arrange = (content: PublicContent, random: () => number) => PublicContent

/** A message about a survey to the server. */
export interface SurveyMessage {
  event: SurveyTrigger
  answers: Answers
  isComplete: boolean
  submissionId: string
  version: number
  language: string | undefined
  fields: Record<string, string>
}

/** The storage of a survey that is being answered, while the tab is open. */
export interface SubmissionStorage {
  read: () => unknown
  write: (submission: object | undefined) => void
}

/** The parts of a survey that are drawn, or named in its messages. */
type MountableSurvey = Pick<ServedSurvey, 'id' | 'name' | 'version' | 'language' | 'content' | 'words'>

interface MountOptions {
  survey: MountableSurvey
  /** The element that the survey is drawn in. */
  root: Element
  fields?: Record<string, string> | undefined
  /** Answers that are known already. */
  prefilled?: Answers
  canClose?: boolean
  /** The rules of the survey's kinds of questions. */
  find: FindKind
  /** Puts questions and choices in their order; undefined for a survey that keeps it. */
  arrange: Arrange | undefined
  storage: SubmissionStorage
  /** Resolves to the sentence of a refusal, or to undefined once the message is taken. */
  send: (message: SurveyMessage) => Promise<string | undefined>
  /** The survey is over; `isDone` if it was answered to its end. */
  closed?: (isDone: boolean) => void
}

/** The sentence of a refused or failed request; undefined once the message is taken. */
export const refusalOf = (
  response: Promise<Response>,
  { notSent }: SurveyWords,
): Promise<string | undefined> =>
  response
    // by our own server
    .then(async (answer) =>
      answer.ok ? undefined : ((await answer.json()) as { problem?: string }).problem || notSent,
    )
    .catch(() => notSent)

/** A page by plain http has no crypto.randomUUID, but the address of a blob ends in one everywhere. */
export const newId = (): string => URL.createObjectURL(new Blob()).slice(-36)

const policy = (
  window as {
    trustedTypes?: { createPolicy: (name: string, rules: object) => { createHTML: (html: string) => string } }
  }
).trustedTypes?.createPolicy('tilth-surveys', { createHTML: (html: string) => html })

/** Draws a survey and leads through it. */
export class MountedSurvey {
  private readonly survey: MountableSurvey
  private readonly submission: StoredSubmission
  session: SurveySession
  private isOver = false
  private isClosed = false

  constructor(private readonly options: MountOptions) {
    const { survey, root, prefilled, arrange } = options
    const content = arrange?.(survey.content, Math.random) ?? survey.content
    this.survey = { ...survey, content }
    // a page that is loaded anew goes on where it was
    // only `remember` writes it
    this.submission = (options.storage.read() as StoredSubmission | undefined) ?? { id: newId() }
    this.session = this.submission.session ?? beginSession(survey.content, prefilled)
    listenTo(root, this, options.canClose)
    this.draw()
  }

  /** Closes the survey, which is a dismissal unless it was answered to its end. */
  close(): void {
    const { root, closed } = this.options
    const wasOver = this.isOver
    this.isOver = this.isClosed = true
    this.forget()
    if (!wasOver) this.send('dismissed')
    root.replaceChildren()
    closed?.(wasOver)
  }

  send(event: SurveyTrigger): void {
    void this.options.send(this.message(event))
  }

  /** The page goes away. */
  leave(): void {
    if (!this.isOver && this.session.path.length > 0) this.send('abandoned')
  }

  /** Sends the answers that were known from the beginning. */
  sendPrefilled(): void {
    void this.options.send({ ...this.message('answers'), answers: this.session.answers })
  }

  submit(form: HTMLFormElement, isBack: boolean): void {
    const { session } = this
    const { root, find } = this.options
    const { content, words } = this.survey
    if (session.screen.kind === 'intro') return this.move(leaveIntro(content, session))
    if (isBack) return this.move(goBack(content, session))
    const { question } = this
    if (!question) return
    const answer = answerFromFormBy(find, question, new FormData(form))
    const problem = answerProblemBy(find, question, answer, words)
    if (problem === undefined) return this.move(answerQuestion(content, session, answer))
    this.session = { ...session, answers: { ...session.answers, [question.id]: answer ?? '' } }
    this.draw(problem)
    focusScreen(root, problem)
  }

  /** Whether a click is an answer to the question that is shown. */
  get submitsOnClick(): boolean {
    const { question } = this
    return question !== undefined && 'submitsOnClick' in question && question.submitsOnClick
  }

  private get question(): SurveyQuestion | undefined {
    const { screen } = this.session
    return screen.kind === 'question' ? this.survey.content.questions[screen.index] : undefined
  }

  private message(event: SurveyTrigger, isComplete = false): SurveyMessage {
    const { content, version, language } = this.survey
    return {
      event,
      answers: answersOnPath(content, this.session),
      isComplete,
      submissionId: this.submission.id,
      version,
      language,
      fields: this.options.fields ?? {},
    }
  }

  private draw(problem?: string): void {
    const { root, fields = {}, canClose, find } = this.options
    const { survey, session } = this
    const hadFocus = root.contains(focused(root))
    const html = surveyHtmlBy(find, { survey, session, words: survey.words, fields, problem, canClose })
    root.innerHTML = policy ? policy.createHTML(html) : html
    // a person who works in the survey is led on; focus is never taken from the page
    if (hadFocus) focusScreen(root, problem)
  }

  private move(next: SurveySession): void {
    if (this.isOver) return
    const before = this.session
    const isAnswer = this.question !== undefined && next.path.length > before.path.length
    this.session = next
    this.isOver = next.screen.kind === 'end'
    if (this.isOver) return void this.finish(before)
    this.remember()
    if (isAnswer && this.survey.content.sendsPartialAnswers) this.send('answers')
    this.draw()
  }

  /** Shows the end once the answers are taken; a refusal leads back to the last question. */
  private async finish(before: SurveySession): Promise<void> {
    this.forget()
    const refusal = await this.options.send(this.message('answers', true))
    if (this.isClosed) return
    if (refusal !== undefined) {
      this.isOver = false
      this.session = { ...before, answers: this.session.answers }
      this.remember()
      return this.draw(refusal)
    }
    this.draw()
    this.options.closed?.(true)
  }

  private remember(): void {
    this.options.storage.write({ ...this.submission, session: this.session })
  }

  private forget(): void {
    this.options.storage.write(undefined)
  }
}

/** The answers that a form holds of the questions of a survey. */
export function enteredAnswers(
  find: FindKind,
  { questions }: Pick<PublicContent, 'questions'>,
  form: HTMLFormElement,
): Answers {
  const entered = new FormData(form)
  return Object.fromEntries(
    questions.flatMap((question) => {
      const answer = answerFromFormBy(find, question, entered)
      return answer === undefined || isEmptyAnswer(answer) ? [] : [[question.id, answer]]
    }),
  )
}

function listenTo(root: Element, mounted: MountedSurvey, canClose = false): void {
  root.addEventListener('submit', (event) => {
    event.preventDefault()
    const { target, submitter } = event as SubmitEvent
    if (target instanceof HTMLFormElement) mounted.submit(target, submitter?.matches('.back') === true)
  })
  root.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-close]')) mounted.close()
  })
  root.addEventListener('keydown', (event) => {
    if ((event as KeyboardEvent).key === 'Escape' && canClose) mounted.close()
  })
  root.addEventListener('input', ({ target }) => selectOther(target))
  // a click answers, an arrow key only moves along the scale
  root.addEventListener('pointerup', ({ target }) => {
    const form = target instanceof Element && target.closest('.mark, .option') && root.querySelector('form')
    if (form && mounted.submitsOnClick)
      setTimeout(() => form.querySelector(':checked') && form.requestSubmit())
  })
}

/** Writing another answer chooses it. */
function selectOther(target: EventTarget | null): void {
  if (!(target instanceof HTMLInputElement) || !target.name.endsWith('.other')) return
  const choice = target.closest('li')?.querySelector<HTMLInputElement>('input[value=":other"]')
  if (choice) choice.checked = target.value !== '' || choice.checked
}

function focused(root: Element): Element | null {
  const tree = root.getRootNode()
  return tree instanceof ShadowRoot ? tree.activeElement : document.activeElement
}

/** The new screen is read out from its beginning; a refused answer is corrected at its control. */
function focusScreen(root: Element, problem?: string): void {
  const control =
    problem === undefined
      ? null
      : root.querySelector<HTMLElement>('input:not([type=hidden]), textarea, select')
  const start = root.querySelector<HTMLElement>('.legend, .heading, .screen')
  start?.setAttribute('tabindex', '-1')
  ;(control ?? start)?.focus()
}

interface StoredSubmission {
  id: string
  session?: SurveySession
}
