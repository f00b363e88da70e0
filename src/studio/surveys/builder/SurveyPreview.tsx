'use client'

import { RotateCcw } from 'lucide-react'
import { type FormEvent, useState, type ReactNode, useCallback, useEffect } from 'react'
import { createPortal } from 'react-dom'
import { answerProblem } from '#surveys/run/check-answer'
import { recall } from '#surveys/run/recall'
import {
  answerQuestion,
  beginSession,
  goBack,
  leaveIntro,
  mayGoBack,
  type SurveySession,
} from '#surveys/run/session'
import { type SurveyWords, wordsFor } from '#surveys/run/words'
import { answerFromForm } from '#surveys/run/answer-from-form'
import type { Question } from '#surveys/question'
import type { SurveyContent } from '#surveys/survey'
import { surveyRules } from '#surveys/survey-styles'
import { EndCardView, IntroView, QuestionView, SurveyBox } from '#surveys/SurveyView'
import { translated } from '#surveys/translate'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import { Select } from '#ui/form/Select'

const widths = [
  { value: 'narrow', label: 'Phone' },
  { value: 'wide', label: 'Desktop' },
] as const
const pages = [
  { value: 'light', label: 'Light page' },
  { value: 'dark', label: 'Dark page' },
] as const
const ownLanguage = 'own'

/** A survey as people will see it: it can be answered, and nothing is recorded. */
export function SurveyPreview({
  name,
  content,
  startAt,
  testAddress,
}: {
  name: string
  content: SurveyContent
  /** The question that is edited. */
  startAt: string | undefined
  testAddress: string
}) {
  const [width, setWidth] = useState<(typeof widths)[number]['value']>('narrow')
  const [page, setPage] = useState<(typeof pages)[number]['value']>('light')
  const [language, setLanguage] = useState<string>()
  const [round, setRound] = useState(0)
  const languages = Object.keys(content.translations)
  const shown = language !== undefined && languages.includes(language) ? language : undefined

  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <SegmentedControl label="Preview width" options={widths} value={width} onChange={setWidth} />
        <SegmentedControl label="Preview background" options={pages} value={page} onChange={setPage} />
        {languages.length > 0 && (
          <Select
            fit
            aria-label="Preview language"
            options={[
              { value: ownLanguage, label: 'Default language' },
              ...languages.map((tag) => ({ value: tag, label: tag })),
            ]}
            value={shown ?? ownLanguage}
            onChange={(tag) => setLanguage(tag === ownLanguage ? undefined : tag)}
          />
        )}
        <IconButton
          label="Restart preview"
          icon={<Icon of={RotateCcw} />}
          onClick={() => setRound(round + 1)}
        />
      </div>
      <div
        className="grid min-h-64 place-items-center overflow-auto rounded-lg border border-line p-4 data-[page=dark]:bg-[#16181d] data-[page=light]:bg-[#f4f4f5]"
        data-page={page}
      >
        <div className={width === 'narrow' ? 'w-full max-w-80' : 'w-full'}>
          <ShadowBox css={`${surveyRules}\n${scopedCss(content.appearance.css)}`}>
            <AnsweredSurvey
              key={`${round} ${startAt} ${content.questions.map(({ id }) => id).join(' ')}`}
              name={name}
              content={translated(content, shown)}
              language={shown}
              startAt={startAt}
            />
          </ShadowBox>
        </div>
      </div>
      <p className="text-xs text-muted">
        Answer it to test branches. The preview saves nothing.{' '}
        <a className="underline" href={testAddress} target="_blank" rel="noreferrer">
          Open the saved survey as a test
        </a>{' '}
        to send answers that are marked as tests.
      </p>
    </section>
  )
}

const scopedCss = (css: string): string => (css.trim() === '' ? '' : `.tilth-survey { ${css} }`)

/** Begins where the edited question is; without one, at the beginning. */
function startOf(content: SurveyContent, startAt: string | undefined): SurveySession {
  const begun = beginSession(content)
  const index = content.questions.findIndex(({ id }) => id === startAt)
  return index > 0 ? { ...begun, screen: { kind: 'question', index } } : begun
}

function AnsweredSurvey({
  name,
  content,
  language,
  startAt,
}: {
  name: string
  content: SurveyContent
  language: string | undefined
  startAt: string | undefined
}) {
  const [session, setSession] = useState(() => startOf(content, startAt))
  const [problem, setProblem] = useState<string>()
  const words = wordsFor(language ?? 'en')
  const { screen } = session

  function submit(question: Question, event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const answer = answerFromForm(question, new FormData(event.currentTarget))
    const found = answerProblem(question, answer, words)
    setProblem(found)
    if (found === undefined) setSession(answerQuestion(content, session, answer))
  }
  const isQuestion = screen.kind === 'question'
  return (
    <SurveyBox
      label={name || 'Survey'}
      appearance={content.appearance}
      language={language}
      progress={
        content.appearance.progressBar && isQuestion ? screen.index / content.questions.length : undefined
      }
    >
      <Screen
        content={content}
        session={session}
        words={words}
        problem={problem}
        onStart={() => setSession(leaveIntro(content, session))}
        onSubmit={submit}
        onBack={() => setSession(goBack(content, session))}
      />
    </SurveyBox>
  )
}

function Screen({
  content,
  session,
  words,
  problem,
  onStart,
  onSubmit,
  onBack,
}: {
  content: SurveyContent
  session: SurveySession
  words: SurveyWords
  problem: string | undefined
  onStart: () => void
  onSubmit: (question: Question, event: FormEvent<HTMLFormElement>) => void
  onBack: () => void
}) {
  const { screen, answers } = session
  if (screen.kind === 'intro' && content.intro)
    return (
      <IntroView screen={content.intro}>
        <button type="button" className="button" onClick={onStart}>
          {content.intro.buttonText || words.start}
        </button>
      </IntroView>
    )
  const question = screen.kind === 'question' ? content.questions[screen.index] : undefined
  if (!question || screen.kind !== 'question')
    return <End content={content} session={session} words={words} />

  const isLast = screen.index === content.questions.length - 1
  const text = recall(question.text, { answers, fields: {} })
  return (
    <form
      key={question.id}
      noValidate
      onSubmit={(event) => onSubmit(question, event)}
      onChange={(event) => {
        if (isClickAnswer(question)) event.currentTarget.requestSubmit()
      }}
    >
      <QuestionView
        question={{ ...question, text }}
        answer={answers[question.id]}
        problem={problem}
        words={words}
      />
      <div className="buttons">
        {!isClickAnswer(question) && (
          <button type="submit" className="button">
            {question.buttonText || (isLast ? words.submit : words.next)}
          </button>
        )}
        {mayGoBack(content, session) && (
          <button type="button" className="back" onClick={onBack}>
            {words.back}
          </button>
        )}
      </div>
    </form>
  )
}

const isClickAnswer = (question: Question): boolean =>
  (question.kind === 'rating' || question.kind === 'single-choice') && question.submitsOnClick

function End({
  content,
  session,
  words,
}: {
  content: SurveyContent
  session: SurveySession
  words: SurveyWords
}) {
  const { screen } = session
  const wanted = screen.kind === 'end' ? screen.card : undefined
  const card = content.endCards.find(({ id }) => id === wanted) ?? content.endCards[0]
  if (card) return <EndCardView card={card} />
  return (
    <div className="screen">
      <p>{content.questions.length === 0 ? 'Add a question to see it here.' : words.thanks}</p>
    </div>
  )
}

/** Draws its children under style rules of their own, untouched by those of the page. */
function ShadowBox({ css, children }: { css: string; children: ReactNode }) {
  const [root, setRoot] = useState<ShadowRoot>()
  const attach = useCallback((host: HTMLDivElement | null) => {
    if (host) setRoot(host.shadowRoot ?? host.attachShadow({ mode: 'open' }))
  }, [])

  // a constructed sheet needs no inline style element, which the content security policy refuses
  useEffect(() => {
    if (!root) return undefined
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets.push(sheet)
    return () => {
      const index = root.adoptedStyleSheets.indexOf(sheet)
      root.adoptedStyleSheets.splice(index, 1)
    }
  }, [root, css])

  return <div ref={attach}>{root && createPortal(children, root)}</div>
}
