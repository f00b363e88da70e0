import type { Metadata } from 'next'
import { Suspense } from 'react'
import { paths } from '#studio/paths'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import { getProduct } from '#studio/product'
import { savingChoicesOf } from '#studio/insights/saving-choices'
import { whyNot } from '#studio/parts/open-project'
import type { SearchParams } from '#studio/search-params'
import { openSurvey, type SurveyParams, titleOf } from '../open-survey'
import { surveyAlerts } from './alert-drafts'
import { CardMenu, type ResultCard } from './CardMenu'
import { inAddress, resultsFilterIn, narrowingOf, type ResultsFilter } from './results-filter'
import { Results } from './Results'
import { ResultsFilters } from './ResultsFilters'
import { SurveyFrame } from '../SurveyFrame'
import type { Survey } from '#surveys/survey'
import { shownText } from '../builder/flow-words'
import { kindResults } from '../kinds/kind-results'

interface ResultsPageProps {
  params: SurveyParams
  searchParams: Promise<SearchParams>
}

export const generateMetadata = ({ params }: ResultsPageProps): Promise<Metadata> =>
  titleOf(params, 'Results')

export async function SurveyResultsPage({ params, searchParams }: ResultsPageProps) {
  const { project: slug, survey: id } = await params
  const question = { ...resultsFilterIn(await searchParams), onlyRemoved: false }
  const opened = await openSurvey(slug, id)
  const { project, viewer } = opened
  const [{ dashboards }, tags] = await Promise.all([
    savingChoicesOf(project.id, viewer),
    getProduct().surveys.results.tags(project.id, id, viewer),
  ])

  return (
    <SurveyFrame {...opened} view="results" filter={inAddress(question)}>
      {opened.survey.startsAt ? (
        <>
          <ResultsFilters
            view="results"
            slug={slug}
            survey={id}
            filter={question}
            tags={tags}
            alerts={surveyAlerts(opened.survey)}
            cards={
              <CardMenu
                slug={slug}
                cards={resultCards(opened.survey, question)}
                dashboards={dashboards}
                whyNot={whyNot('insights:write', opened.role)}
              />
            }
          />
          <Suspense key={JSON.stringify(question)} fallback={<Skeleton className="h-96 w-full" />}>
            <Results opened={opened} filter={question} />
          </Suspense>
        </>
      ) : (
        <Panel>
          <EmptyMessage
            title="Not launched yet"
            body="Results appear after launch. The preview saves nothing."
            action={<LinkButton href={paths.survey(slug, id, 'launch')}>Go to launch</LinkButton>}
          />
        </Panel>
      )}
    </SurveyFrame>
  )
}

const longestTitle = 80
const overTimeWords = ' (over time)'

/** The results that can be cards of a dashboard, as they are narrowed now. */
function resultCards(
  { id: survey, name, content }: Pick<Survey, 'id' | 'name' | 'content'>,
  listFilter: ResultsFilter,
): ResultCard[] {
  const { onlyRemoved: _, tag: _tag, filter, ...narrowing } = narrowingOf(listFilter)
  const cardOf = (label: string, title: string, more: object): ResultCard => ({
    label,
    content: {
      type: 'question',
      title: title.slice(0, longestTitle),
      question: { kind: 'survey', survey, ...narrowing, ...(filter && { filter }), ...more },
    },
  })
  const questions = content.questions.filter(({ kind }) => kindResults[kind].isCard)
  return [
    cardOf('Responses and rates', name, {}),
    ...questions.flatMap(({ id: about, kind, text }) => {
      const title = shownText(text)
      if (kind !== 'rating') return [cardOf(title, title, { about })]
      const overTime = { about, interval: narrowing.period === '7d' ? 'day' : 'week' }
      const named = `${title.slice(0, longestTitle - overTimeWords.length)}${overTimeWords}`
      return [cardOf(title, title, { about }), cardOf(`${title}${overTimeWords}`, named, overTime)]
    }),
  ]
}
