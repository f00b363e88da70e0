import type { Metadata } from 'next'
import type { WatchedMetric } from '#alerts/watched-metric'
import { watchedEventOf } from '#insights/people/number-queries'
import { numberName } from '#insights/people/number-words'
import { Page } from '#ui/page/Page'
import type { MemberViewer } from '#projects/access'
import { paths, type SurveyAlertKind } from '#studio/paths'
import { getProduct } from '#studio/product'
import { openProject, whyNot } from '#studio/parts/open-project'
import { tryRead } from '#studio/parts/refusals'
import { AlertForm } from './AlertForm'
import { membersOf } from '#studio/recipients/project-members'
import { matchText } from '#studio/numbers/match-text'
import { NumberProblem } from '#studio/numbers/NumberProblem'
import { numberIn, peopleOfNumber } from '#studio/numbers/people-of-number'
import { trendsOf } from './form-choices'
import { NoMailServer } from '#studio/recipients/NoMailServer'
import { type SearchParams, textOf } from '#studio/search-params'
import { surveyAlertDraft } from '#studio/surveys/results/alert-drafts'

export const metadata: Metadata = { title: 'New alert' }

interface NewAlertProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

export async function NewAlertPage({ params, searchParams }: NewAlertProps) {
  const opened = await openProject((await params).project)
  const { project, viewer, role } = opened
  const search = await searchParams
  const { insight } = search
  const [members, trends, drafted, number] = await Promise.all([
    membersOf(project.id, viewer),
    trendsOf(project.id, viewer),
    surveyDraft(project.id, search, viewer),
    peopleOfNumber(opened, search),
  ])
  const trend = trends.find(({ id }) => id === insight)
  const { slug, timeZone } = project

  return (
    <Page
      title="New alert"
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'Alerts', href: paths.alerts(slug) },
      ]}
    >
      {!getProduct().alerts.canMail && <NoMailServer slug={slug} untilThen="Webhooks work without it." />}
      {number && !number.done && <NumberProblem {...number} />}
      {number?.done && <p className="text-muted">{matchText(number.people.total)}</p>}
      <AlertForm
        slug={slug}
        draft={{
          name: trend ? trend.name : 'Fewer page views',
          watched: trend
            ? { type: 'insight', insight: trend.id, line: 0 }
            : { type: 'event', event: '$pageview', measure: { math: 'total' }, traffic: 'human' },
          condition: {
            type: 'relative',
            does: 'fall',
            by: 30,
            as: 'percent',
            against: 'week-before',
            interval: 'day',
          },
          every: '1h',
          recipients: [{ by: 'member', member: viewer.memberId }],
          coolDownMinutes: 60,
          ...drafted,
          ...(number?.done && numberDraft(search)),
        }}
        members={members}
        trends={trends}
        timeZone={timeZone}
        whyNot={whyNot('alerts:write', role)}
      />
    </Page>
  )
}

/** The alert on the event that the persons of the pressed number sent. */
function numberDraft(search: SearchParams) {
  const number = numberIn(search)
  const watched = number && watchedEventOf(number)
  // made of a query that the product has parsed to count its persons
  return watched && { name: numberName(number), watched: watched as WatchedMetric }
}

const surveyAlertKinds: readonly SurveyAlertKind[] = ['response', 'score', 'low']

/** The alert on a survey's answers that the address names. */
async function surveyDraft(projectId: number, search: SearchParams, viewer: MemberViewer) {
  const id = textOf(search['survey'])
  const when = surveyAlertKinds.find((kind) => kind === search['when'])
  if (id === undefined || !when) return undefined
  const read = await tryRead(() => getProduct().surveys.find(projectId, id, viewer))
  const survey = read.allowed ? read.found : undefined
  return survey && surveyAlertDraft(survey, when, textOf(search['question']))
}
