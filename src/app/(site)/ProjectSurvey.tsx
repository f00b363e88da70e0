import { isOnAddress } from '#surveys/run/eligibility'
import { hiddenFieldsFrom } from '#surveys/run/prefill'
import { beginSession } from '#surveys/run/session'
import { surveyHtml } from '#surveys/run/survey-html'
import { surveySheet } from '#surveys/run/survey-sheet'
import { wordsFor } from '#surveys/run/words'
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
  const { answers: surveyAnswers } = getProduct().surveys
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
  const query = new URLSearchParams(fields).toString()
  const html = surveyHtml({
    survey: { ...shown, language },
    session: beginSession(shown.content),
    words,
    fields,
    form: { action: `/s/${shown.id}${query && `?${query}`}`, hidden: { begin: '' } },
  })
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
      {/* oxlint-disable-next-line react/no-danger -- `surveyHtml` has escaped it */}
      <div dangerouslySetInnerHTML={{ __html: html }} />
      <script type="application/json">{JSON.stringify(settings).replaceAll('<', String.raw`\u003c`)}</script>
    </div>
  )
}
