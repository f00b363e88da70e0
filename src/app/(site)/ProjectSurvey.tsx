import { isOnAddress } from '#surveys/run/eligibility'
import { hiddenFieldsFrom } from '#surveys/run/prefill'
import { recall } from '#surveys/run/recall'
import { surveyElementId } from '#surveys/run/survey-html'
import { surveySheet } from '#surveys/run/survey-sheet'
import type { PublicSurvey } from '#surveys/run/public-survey'
import { fillIn, type SurveyWords, wordsFor } from '#surveys/run/words'
import { IntroView, QuestionView } from '#surveys/SurveyView'
import type { LiveBlockProps } from '#posts/PostBody'
import { darkSurveySheet } from '#posts/survey-look'
import { getProduct } from '#studio/product'
import { OmittedPart } from './OmittedPart'
import { openSite } from './open-site'

/** A survey may end, begin or be full at any moment, which no change announces. */
const cacheSeconds = 60

/**
 * A survey in a page or post, for the visitors it is for. Without a script its first question is sent to the survey's own
 * page, which asks the others and leads back; with one it is answered in place.
 */
export function ProjectSurvey({ attributes }: LiveBlockProps) {
  const { site, visit } = openSite()
  if (site.staticServer !== undefined) return <OmittedPart of={`the survey “${attributes['survey']}”`} />
  const { surveyAnswers } = getProduct()
  visit.cacheFor(cacheSeconds)
  visit.noteContent('survey', 'live')
  const wanted = attributes['survey']
  const survey = surveyAnswers
    .runningSurveys(site.projectId)
    .filter(({ placement }) => placement.kind === 'inline')
    .find(({ id, name }) => id === wanted || name === wanted)
  if (!survey || !isOnAddress(survey, new URL(visit.address, site.origin).href)) return null
  if (!surveyAnswers.isFor(survey, (key) => visit.variant(key))) return null

  const shown = surveyAnswers.publicSurvey(survey, [site.language])
  const language = shown.language ?? site.language
  const words = wordsFor(language)
  const given = new URLSearchParams(attributes['fields'])
  const fields = hiddenFieldsFrom(given, shown.content.hiddenFields)
  const settings = {
    survey: { ...shown, words },
    fields,
    prefilled: {},
    endpoint: `/_tilth/surveys/${shown.id}/answers`,
    key: site.writeKey,
    sendsPrefilled: false,
    isInline: true,
  }
  return (
    <div data-tilth-survey-form="">
      <style>{surveySheet(shown) + darkSurveySheet(shown, site)}</style>
      <div>
        <section
          className="tilth-survey"
          id={surveyElementId(shown.id)}
          aria-label={shown.name}
          lang={language}
          dir="auto"
        >
          <FirstScreen survey={shown} fields={fields} words={words} />
        </section>
      </div>
      <script type="application/json">{JSON.stringify(settings).replaceAll('<', String.raw`\u003c`)}</script>
    </div>
  )
}

/** The intro, or else the first question, which is sent to the survey's own page. */
function FirstScreen({
  survey: { id, content },
  fields,
  words,
}: {
  survey: PublicSurvey
  fields: Readonly<Record<string, string>>
  words: SurveyWords
}) {
  const { intro, questions, appearance } = content
  const [question] = questions
  const query = new URLSearchParams(fields).toString()
  const buttonText = intro ? intro.buttonText || words.start : question?.buttonText
  return (
    <>
      {!intro && appearance.progressBar && (
        <progress value={0} max={questions.length} aria-label={fillIn(words.progress, 1, questions.length)} />
      )}
      <form method="post" noValidate action={`/s/${id}${query && `?${query}`}`}>
        <input type="hidden" name="begin" value="" />
        {intro && <IntroView screen={intro} />}
        {!intro && question && (
          <QuestionView
            question={{ ...question, text: recall(question.text, { answers: {}, fields }) }}
            words={words}
          />
        )}
        <p className="hidden-text" aria-hidden="true">
          <label>
            Website <input name="website" tabIndex={-1} autoComplete="off" />
          </label>
        </p>
        <div className="buttons">
          <button type="submit" className="button">
            {buttonText || words.next}
          </button>
        </div>
      </form>
    </>
  )
}
