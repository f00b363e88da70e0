import { surveyElementId } from '#surveys/run/survey-html'
import { surveySheet } from '#surveys/run/survey-sheet'
import { fillIn, wordsFor } from '#surveys/run/words'
import { IntroView, QuestionView } from '#surveys/SurveyView'
import type { LiveBlockProps } from '#posts/PostBody'
import { getProduct } from '../product'
import { OmittedPart } from './OmittedPart'
import { openSite } from './open-site'

/** A survey may end, begin or be full at any moment, which no change announces. */
const cacheSeconds = 60

/**
 * A survey in a page or post. Without a script its first question is sent to the survey's own page, which asks the
 * others and leads back; with one it is answered in place.
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
    .find(({ id, name }) => id === wanted || name === wanted)
  if (!survey) return null

  const shown = surveyAnswers.publicSurvey(survey, [site.language])
  const language = shown.language ?? site.language
  const words = wordsFor(language)
  const { intro, questions } = shown.content
  const [question] = questions
  const settings = {
    survey: { ...shown, words },
    fields: {},
    prefilled: {},
    endpoint: `/_tilth/surveys/${shown.id}/answers`,
    key: site.writeKey,
    sendsPrefilled: false,
  }
  return (
    <div data-tilth-survey-form="">
      <style>{surveySheet(shown)}</style>
      <div>
        <section
          className="tilth-survey"
          id={surveyElementId(shown.id)}
          aria-label={shown.name}
          lang={language}
          dir="auto"
        >
          {!intro && shown.content.appearance.progressBar && (
            <progress
              value={0}
              max={questions.length}
              aria-label={fillIn(words.progress, 1, questions.length)}
            />
          )}
          <form method="post" action={`/s/${shown.id}`}>
            <input type="hidden" name="begin" value="" />
            {intro ? (
              <IntroView screen={intro} />
            ) : (
              question && <QuestionView question={question} words={words} />
            )}
            <p className="hidden-text" aria-hidden="true">
              <label>
                Website <input name="website" tabIndex={-1} autoComplete="off" />
              </label>
            </p>
            <div className="buttons">
              <button type="submit" className="button">
                {(intro ? intro.buttonText || words.start : question?.buttonText) || words.next}
              </button>
            </div>
          </form>
        </section>
      </div>
      <script type="application/json">{JSON.stringify(settings).replaceAll('<', String.raw`\u003c`)}</script>
    </div>
  )
}
