import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { TextLink } from '#ui/Anchor'
import { DescriptionList } from '#ui/DescriptionList'
import { dateTime } from '#ui/format'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Panel } from '#ui/page/Panel'
import { paths } from '#app/paths'
import { getProduct } from '#app/product'
import { whyNot } from '#app/(studio)/open-project'
import { tryEngine } from '#app/(studio)/studio/(inside)/[project]/flags/try-engine'
import { type PeopleSearchParams, textOf } from '#app/(studio)/studio/(inside)/[project]/people/question'
import {
  openSurvey,
  type SurveyParams,
  titleOf,
} from '#app/(studio)/studio/(inside)/[project]/surveys/open-survey'
import { answerInWords } from '#app/(studio)/studio/(inside)/[project]/surveys/responses/answer-words'
import { RemoveResponse } from '#app/(studio)/studio/(inside)/[project]/surveys/responses/RemoveResponse'
import { ResponseStateBadge } from '#app/(studio)/studio/(inside)/[project]/surveys/responses/ResponseStateBadge'
import { SurveyFrame } from '#app/(studio)/studio/(inside)/[project]/surveys/SurveyFrame'

interface ResponsePageProps {
  params: SurveyParams
  searchParams: Promise<PeopleSearchParams>
}

export const generateMetadata = ({ params }: ResponsePageProps): Promise<Metadata> =>
  titleOf(params, 'Response')

/** What one person answered in one go. */
export default async function ResponsePage({ params, searchParams }: ResponsePageProps) {
  const { project: slug, survey: surveyId } = await params
  const id = textOf((await searchParams)['id'])
  if (id === undefined) notFound()
  const opened = await openSurvey(slug, surveyId)
  const { project, viewer, role, survey } = opened
  const { surveys, surveyResults } = getProduct()
  const found = await tryEngine(() => surveyResults.response(project.id, survey.id, id, viewer))
  if (!found.done)
    return (
      <SurveyFrame {...opened} view="responses">
        <FailedMessage
          title="The response could not be loaded"
          body={found.problems.map(({ message }) => message).join(' ')}
        />
      </SurveyFrame>
    )
  const { response } = found
  const versions = await surveys.versions(project.id, survey.id, viewer)
  const content = versions.find(({ version }) => version === response.version)?.content ?? survey.content
  const questions = new Map(content.questions.map((question) => [question.id, question]))

  return (
    <SurveyFrame {...opened} view="responses">
      <Panel title="Answers">
        {response.answers.length === 0 ? (
          <p className="text-muted">No answers.</p>
        ) : (
          <DescriptionList
            facts={response.answers.map(({ question, text, answer }) => ({
              term: text,
              value: answerInWords(answer, questions.get(question)),
            }))}
          />
        )}
      </Panel>
      <Panel
        title="Response"
        actions={
          <RemoveResponse
            slug={slug}
            survey={survey.id}
            response={response.id}
            whyNot={whyNot('surveys:write', role)}
          />
        }
      >
        <DescriptionList
          facts={[
            {
              term: 'Person',
              value: <TextLink href={paths.person(slug, response.person)}>{response.distinctId}</TextLink>,
            },
            { term: 'State', value: <ResponseStateBadge state={response.state} /> },
            { term: 'Started', value: dateTime(response.startedAt, project.timeZone) },
            { term: 'Answered', value: dateTime(response.answeredAt, project.timeZone) },
            { term: 'Version', value: response.version },
            { term: 'Language', value: response.language || 'Default' },
            { term: 'Path', value: response.path || 'Unknown' },
            { term: 'Country', value: response.country || 'Unknown' },
            { term: 'Browser', value: response.browser || 'Unknown' },
            { term: 'Device', value: response.device || 'Unknown' },
          ]}
        />
      </Panel>
    </SurveyFrame>
  )
}
