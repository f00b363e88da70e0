import type { Json, Properties } from '#events/event'
import type { Answer, SurveyQuestion } from '#surveys/question'
import { answerQuestion, answersOnPath, beginSession, type SurveySession } from '#surveys/run/session'
import type { SurveyContent } from '#surveys/survey'
import { languageFor, translated } from '#surveys/translate'
import { type Respondent, replyTo } from './survey-replies'
import type { DemoSurvey } from './surveys'
import type { DemoVisit } from './visit'

/** The shares of the people who see a survey. */
interface SurveyHabits {
  answered: number
  /** Closed without an answer; the others leave it alone. */
  dismissed: number
  /** The share that stops before each further question. */
  stopped: number
}

/** A survey as one visitor sees it. */
interface SurveyPresentation {
  visit: DemoVisit
  survey: DemoSurvey
  /** In the language that is shown. */
  content: SurveyContent
  language: string | undefined
}

/** Shows a survey to a visitor and records what the visitor does with it. */
export function presentSurvey(
  visit: DemoVisit,
  survey: DemoSurvey,
  habits: SurveyHabits,
  mood: number,
): void {
  const { chance: random } = visit
  const language = languageFor(survey.content, [visit.visitor.home.country.language])
  const shown = { visit, survey, language, content: translated(survey.content, language) }
  visit.record('survey shown', commonProperties(shown)).wait(random.around(6))
  const reaction = random.next()
  if (reaction < habits.answered)
    return answer(shown, habits, { random, mood, language: language === 'de' ? 'de' : 'en' })
  if (reaction < habits.answered + habits.dismissed) recordLeaving(shown, undefined, 'survey dismissed')
}

/** Every answer is sent at once, with those before it. */
function answer(shown: SurveyPresentation, { stopped }: SurveyHabits, respondent: Respondent): void {
  const { visit, content } = shown
  const { random } = respondent
  const submission = random.uuid(visit.now)
  let session = beginSession(content)
  while (session.screen.kind === 'question') {
    if (session.path.length > 0 && random.happens(stopped)) {
      const event = random.happens(0.5) ? 'survey dismissed' : 'survey abandoned'
      return recordLeaving(shown, { id: submission, session }, event)
    }
    const question = content.questions[session.screen.index]
    if (!question) return
    visit.wait(random.around(question.kind === 'open' ? 22 : 7))
    session = answerQuestion(content, session, replyTo(question, respondent, session.answers))
    visit.record('survey sent', {
      ...commonProperties(shown),
      ...answerProperties(shown, session),
      $survey_submission_id: submission,
      $survey_completed: session.screen.kind === 'end',
      ...markOf(shown, '$survey_responded'),
    })
  }
}

function recordLeaving(
  shown: SurveyPresentation,
  session: { id: string; session: SurveySession } | undefined,
  event: 'survey dismissed' | 'survey abandoned',
): void {
  shown.visit.record(event, {
    ...commonProperties(shown),
    ...answerProperties(shown, session?.session ?? beginSession(shown.content)),
    ...(session && { $survey_submission_id: session.id }),
    $survey_partially_completed: session !== undefined,
    ...(event === 'survey dismissed' ? markOf(shown, '$survey_dismissed') : {}),
  })
}

const commonProperties = ({ survey, content, language }: SurveyPresentation): Properties => ({
  $survey_id: survey.id,
  $survey_name: (language && content.translations[language]?.name) || survey.name,
  ...(language !== undefined && { $survey_language: language }),
  // only Tilth's own places send the version
  ...(survey.placement.kind === 'inline' && { $survey_version: 1 }),
})

function answerProperties({ content }: SurveyPresentation, session: SurveySession): Properties {
  const answers = answersOnPath(content, session)
  return {
    $survey_questions: content.questions.map((question) =>
      questionProperties(question, answers[question.id]),
    ),
    ...Object.fromEntries(
      Object.entries(answers).map(([id, value]) => [`$survey_response_${id}`, jsonOf(value)]),
    ),
  }
}

const questionProperties = ({ id, text }: SurveyQuestion, given: Answer | undefined): Properties => ({
  id,
  question: text,
  ...(given !== undefined && { response: jsonOf(given) }),
})

/** Events hold lists that may be changed. */
const jsonOf = (value: Answer): Json =>
  typeof value !== 'object' ? value : isList(value) ? [...value] : { ...value }
const isList = (value: object): value is readonly string[] => Array.isArray(value)

/** Only the targeting flag asks for the mark, so visitors without an account have none. */
const markOf = ({ visit, survey }: SurveyPresentation, name: string): Properties =>
  visit.visitor.account ? { $set: { [`${name}/${survey.id}`]: true } } : {}
