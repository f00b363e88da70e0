import { toJsxRuntime } from 'hast-util-to-jsx-runtime'
import type { ReactNode } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'
import type { Answer, Question } from './question'
import { QuestionFields } from './QuestionFields'
import type { SurveyWords } from './run/words'
import type { EndCard, FormattedText, SurveyAppearance, SurveyScreen } from './survey'
import { sanitizedTree } from './sanitize-html'
import { surveyVariables } from './survey-styles'

/** The box of a survey in its colours. Its rules, `surveyRules` and the survey's own CSS, are the page's to add. */
export function SurveyBox({
  label,
  appearance,
  language,
  progress,
  children,
}: {
  label: string
  appearance: SurveyAppearance
  language?: string | undefined
  /** From 0 to 1; undefined where no bar is drawn. */
  progress?: number | undefined
  children: ReactNode
}) {
  return (
    <section
      className="tilth-survey"
      aria-label={label}
      lang={language}
      dir="auto"
      style={surveyVariables(appearance)}
    >
      {progress !== undefined && <progress value={progress} max={1} aria-label={label} />}
      {children}
    </section>
  )
}

/** A text that a member wrote. HTML is sanitised here too, so that a draft can be drawn before it is saved. */
export function FormattedTextView({ value: { format, text } }: { value: FormattedText }) {
  if (text.trim() === '') return null
  if (format === 'text') return <p className="description">{text}</p>
  return <div className="description">{toJsxRuntime(sanitizedTree(text), { Fragment, jsx, jsxs })}</div>
}

interface QuestionViewProps {
  /** In the language that is shown, with recalled answers filled in and choices in the order that is shown. */
  question: Question
  answer?: Answer | undefined
  /** Why an answer was not taken. */
  problem?: string | undefined
  words: SurveyWords
}

/** A question with its fields; belongs in a `form`. `questionHtml` draws the same. */
export function QuestionView({ question, answer, problem, words }: QuestionViewProps) {
  const problemId = `problem.${question.id}`
  const hasMark = !question.isRequired && question.kind !== 'statement' && question.kind !== 'link'
  return (
    <fieldset aria-describedby={problem === undefined ? undefined : problemId}>
      <legend className="legend">
        {question.text}
        {hasMark && <small> ({words.optional})</small>}
      </legend>
      <FormattedTextView value={question.description} />
      <QuestionFields question={question} answer={answer} words={words} />
      {problem !== undefined && (
        <p id={problemId} className="problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  )
}

/** What is shown before the first question. */
export const IntroView = ({ screen, children }: { screen: SurveyScreen; children?: ReactNode }) => (
  <div className="screen">
    <h2>{screen.header}</h2>
    <FormattedTextView value={screen.description} />
    {children}
  </div>
)

/** What is shown after the last question. */
export const EndCardView = ({ card }: { card: EndCard }) => (
  <div className="screen">
    <h2>{card.header}</h2>
    <FormattedTextView value={card.description} />
    {card.link.startsWith('https://') && card.buttonText !== '' && (
      <a className="button" href={card.link} rel="noopener noreferrer">
        {card.buttonText}
      </a>
    )}
  </div>
)
