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
import { openSurvey, type SurveyParams, titleOf } from '#studio/surveys/open-survey'
import { surveyAlerts } from '#studio/surveys/results/alert-drafts'
import { CardMenu } from '#studio/surveys/results/CardMenu'
import { resultCards } from '#studio/surveys/results/result-cards'
import { inAddress, resultsFilterIn } from '#studio/surveys/results/results-filter'
import { Results } from '#studio/surveys/results/Results'
import { ResultsFilters } from '#studio/surveys/results/ResultsFilters'
import { SurveyFrame } from '#studio/surveys/SurveyFrame'

interface ResultsPageProps {
  params: SurveyParams
  searchParams: Promise<SearchParams>
}

export const generateMetadata = ({ params }: ResultsPageProps): Promise<Metadata> =>
  titleOf(params, 'Results')

export default async function ResultsPage({ params, searchParams }: ResultsPageProps) {
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
