import { valueName } from '#events/value-names'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Suspense } from 'react'
import { propertyLabel } from '#events/taxonomy'
import type { SurveyResponse } from '#surveys/results/responses'
import type { SurveyContent } from '#surveys/survey'
import { TextLink } from '#ui/Anchor'
import { CopyableId } from '#ui/copy/CopyableId'
import { type Description, DescriptionList } from '#ui/DescriptionList'
import { dateTime } from '#ui/format'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { PersonName } from '#studio/parts/PersonName'
import { whyNot } from '#studio/parts/open-project'
import { tryEngine } from '#studio/parts/refusals'
import { type SearchParams, textOf } from '#studio/search-params'
import { questionName } from '../builder/flow-words'
import { type OpenSurvey, openSurvey, type SurveyParams, titleOf } from '../open-survey'
import { SurveyFrame } from '../SurveyFrame'
import { answerInWords } from './answer-words'
import { RemoveResponse } from './RemoveResponse'
import { ResponseTags } from './ResponseTags'
import { ResponseStateBadge } from './ResponseStateBadge'

interface ResponsePageProps {
  params: SurveyParams
  searchParams: Promise<SearchParams>
}

export const generateMetadata = ({ params }: ResponsePageProps): Promise<Metadata> =>
  titleOf(params, 'Response')

/** The answers of one person's submission. */
export async function ResponsePage({ params, searchParams }: ResponsePageProps) {
  const { project: slug, survey: surveyId } = await params
  const id = textOf((await searchParams)['id'])
  if (id === undefined) notFound()
  const opened = await openSurvey(slug, surveyId)
  const { project, viewer, role, survey } = opened
  const { surveys } = getProduct()
  const { results: surveyResults } = surveys
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
  const { response, isRemoved } = found
  const [versions, known] = await Promise.all([
    surveys.versions(project.id, survey.id, viewer),
    surveyResults.tags(project.id, survey.id, viewer),
  ])
  const content = versions.find(({ version }) => version === response.version)?.content ?? survey.content

  return (
    <SurveyFrame {...opened} view="responses">
      {isRemoved && (
        <Notice title="This response is removed">
          Excluded from results, lists and exports. Its events stay.
        </Notice>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Panel
          title="Answers"
          actions={
            <RemoveResponse
              slug={slug}
              survey={survey.id}
              response={response.id}
              isRemoved={isRemoved}
              whyNot={whyNot('surveys:write', role)}
            />
          }
        >
          <AnswerSheet response={response} content={content} />
        </Panel>
        <ResponseAside opened={opened} response={response} known={known} />
      </div>
    </SurveyFrame>
  )
}

/** The person who answered, the members' notes, and the response's origin. */
function ResponseAside({
  opened,
  response,
  known,
}: {
  opened: OpenSurvey
  response: SurveyResponse
  /** The tags of responses to the survey. */
  known: readonly string[]
}) {
  const { project, role, survey } = opened
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <Panel title="Person">
        <Suspense fallback={<Skeleton className="h-24 w-full" />}>
          <ResponsePerson opened={opened} response={response} />
        </Suspense>
      </Panel>
      <Panel title="Tags">
        <ResponseTags
          slug={project.slug}
          survey={survey.id}
          response={response.id}
          tags={response.tags}
          known={known}
          whyNot={whyNot('surveys:write', role)}
        />
      </Panel>
      {Object.keys(response.fields).length > 0 && (
        <Panel title="Hidden fields">
          <DescriptionList
            facts={Object.entries(response.fields).map(([term, value]) => ({ term, value }))}
          />
        </Panel>
      )}
      <Suspense fallback={<Skeleton className="h-24 w-full" />}>
        <EarlierResponses opened={opened} response={response} />
      </Suspense>
      <Panel title="Response">
        <DescriptionList facts={factsOf(response, project.timeZone)} />
      </Panel>
    </div>
  )
}

/** The questions of the version that was answered, each with its answer; then answers to questions it does not have. */
function AnswerSheet({ response, content }: { response: SurveyResponse; content: SurveyContent }) {
  const given = new Map(response.answers.map((one) => [one.question, one]))
  const asked = content.questions.filter(({ kind }) => kind !== 'statement')
  const others = response.answers.filter(({ question }) => !asked.some(({ id }) => id === question))
  return (
    <dl className="flex flex-col gap-4">
      {asked.map((question) => {
        const answer = given.get(question.id)?.answer
        return (
          <SheetEntry
            key={question.id}
            text={questionName(content, question.id)}
            answer={answer === undefined ? undefined : answerInWords(answer, question)}
          />
        )
      })}
      {others.map(({ question, text, answer }) => (
        <SheetEntry key={question} text={text} answer={answerInWords(answer, undefined)} />
      ))}
    </dl>
  )
}

const SheetEntry = ({ text, answer }: { text: string; answer: string | undefined }) => (
  <div>
    <dt className="text-xs text-muted">{text}</dt>
    <dd
      className={
        answer === undefined ? 'mt-0.5 text-muted' : 'mt-0.5 text-base break-words whitespace-pre-line'
      }
    >
      {answer ?? 'No answer'}
    </dd>
  </div>
)

/** Properties that are shown beside a response; the person's page has all. */
const mostProperties = 6

async function ResponsePerson({
  opened: { project, viewer },
  response: { person: id, distinctId },
}: {
  opened: OpenSurvey
  response: SurveyResponse
}) {
  const { people } = getProduct()
  const found = await tryEngine(async () => ({
    done: true as const,
    person: await people.find(project.id, id, viewer),
  }))
  const person = found.done ? found.person : undefined
  const properties = Object.entries(person?.properties ?? {}).filter(
    ([name, value]) => !name.startsWith('$') && value !== person?.label.name,
  )
  return (
    <DescriptionList
      facts={[
        {
          term: 'Name',
          value: (
            <TextLink href={paths.person(project.slug, id)}>
              {person ? <PersonName label={person.label} /> : distinctId}
            </TextLink>
          ),
        },
        { term: 'Distinct id', value: <CopyableId id={distinctId} label="Distinct id" /> },
        ...properties.slice(0, mostProperties).map(([name, value]) => ({ term: propertyLabel(name), value })),
      ]}
    />
  )
}

/** The same person's other responses to this survey. */
async function EarlierResponses({
  opened: { project, viewer, survey },
  response: { id, person },
}: {
  opened: OpenSurvey
  response: SurveyResponse
}) {
  const { results: surveyResults } = getProduct().surveys
  const found = await tryEngine(() => surveyResults.responsesOfPerson(project.id, survey.id, person, viewer))
  const others = found.done ? found.responses.filter((one) => one.id !== id) : []
  if (others.length === 0) return null
  const questions = new Map(survey.content.questions.map((one) => [one.id, one]))
  return (
    <Panel title="Other responses of this person">
      <ul className="-my-2 divide-y divide-line">
        {others.map((one) => (
          <li key={one.id} className="py-2">
            <TextLink href={paths.surveyResponse(project.slug, survey.id, one.id)}>
              {dateTime(one.answeredAt, project.timeZone)}
            </TextLink>
            <p className="line-clamp-3 break-words text-muted">
              {one.answers
                .map(({ question, answer }) => answerInWords(answer, questions.get(question)))
                .join(' · ')}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const factsOf = (response: SurveyResponse, timeZone: string): Description[] => [
  { term: 'State', value: <ResponseStateBadge state={response.state} /> },
  { term: 'Started', value: dateTime(response.startedAt, timeZone) },
  { term: 'Answered', value: dateTime(response.answeredAt, timeZone) },
  { term: 'Version', value: response.version },
  { term: 'Language', value: response.language ? valueName('language', response.language) : 'Default' },
  { term: 'Path', value: response.path || 'Unknown' },
  { term: 'Country', value: valueName('country', response.country) },
  { term: 'Browser', value: response.browser || 'Unknown' },
  { term: 'Device', value: response.device || 'Unknown' },
]
