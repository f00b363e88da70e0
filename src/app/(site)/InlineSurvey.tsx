import type { LiveBlockProps } from '#posts/PostBody'
import { currentSite } from './open-site'
import { ProjectSurvey } from './ProjectSurvey'
import { VisitorForm } from './VisitorForm'
import { translationFor } from './translations'

const scales: Readonly<Record<string, readonly string[]>> = {
  nps: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
  rating: ['1', '2', '3', '4', '5'],
}

/** A survey of the project, or a question that the post itself asks. */
export const InlineSurvey = (props: LiveBlockProps) =>
  props.attributes['survey'] ? <ProjectSurvey {...props} /> : <SingleQuestion {...props} />

/** A question in the text. Each answer of a scale is a button: pressing it sends it. */
function SingleQuestion({ attributes, children }: LiveBlockProps) {
  const { id = 'survey', question = '', kind = 'open', choices = '' } = attributes
  const words = translationFor(currentSite())
  const answers =
    scales[kind] ??
    (kind === 'choice'
      ? choices
          .split('|')
          .map((one) => one.trim())
          .filter(Boolean)
      : [])
  return (
    <VisitorForm kind="survey" name={id} thanks={words.thanks}>
      <input type="hidden" name="question" value={question} />
      <input type="hidden" name="kind" value={kind} />
      {children}
      <fieldset>
        <legend dir="auto">{question}</legend>
        {answers.length > 0 ? (
          <Answers answers={answers} />
        ) : (
          <OpenAnswer label={question} send={words.send} />
        )}
      </fieldset>
    </VisitorForm>
  )
}

function Answers({ answers }: { answers: readonly string[] }) {
  return (
    <div className="answers">
      {answers.map((answer) => (
        <button key={answer} type="submit" name="answer" value={answer} dir="auto">
          {answer}
        </button>
      ))}
    </div>
  )
}

function OpenAnswer({ label, send }: { label: string; send: string }) {
  return (
    <>
      <textarea name="answer" aria-label={label} rows={3} maxLength={5000} required dir="auto" />
      <button type="submit">{send}</button>
    </>
  )
}
