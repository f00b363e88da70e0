import type { Metadata } from 'next'
import { Suspense } from 'react'
import { paths } from '#app/paths'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import { Skeleton } from '#ui/page/Skeleton'
import { getProduct } from '#app/product'
import { savingChoicesOf } from '#app/(studio)/insights/saving-choices'
import { whyNot } from '#app/(studio)/open-project'
import type { PeopleSearchParams } from '#app/(studio)/studio/(inside)/[project]/people/question'
import {
  openSurvey,
  type SurveyParams,
  titleOf,
} from '#app/(studio)/studio/(inside)/[project]/surveys/open-survey'
import { surveyAlerts } from '#app/(studio)/studio/(inside)/[project]/surveys/results/alert-drafts'
import { CardMenu } from '#app/(studio)/studio/(inside)/[project]/surveys/results/CardMenu'
import { resultCards } from '#app/(studio)/studio/(inside)/[project]/surveys/results/result-cards'
import {
  inAddress,
  resultsQuestionIn,
} from '#app/(studio)/studio/(inside)/[project]/surveys/results/question'
import { Results } from '#app/(studio)/studio/(inside)/[project]/surveys/results/Results'
import { ResultsFilters } from '#app/(studio)/studio/(inside)/[project]/surveys/results/ResultsFilters'
import { SurveyFrame } from '#app/(studio)/studio/(inside)/[project]/surveys/SurveyFrame'

interface ResultsPageProps {
  params: SurveyParams
  searchParams: Promise<PeopleSearchParams>
}

export const generateMetadata = ({ params }: ResultsPageProps): Promise<Metadata> =>
  titleOf(params, 'Results')

/** What was answered to a survey, question by question. */
export default async function ResultsPage({ params, searchParams }: ResultsPageProps) {
  const { project: slug, survey: id } = await params
  const question = { ...resultsQuestionIn(await searchParams), onlyRemoved: false }
  const opened = await openSurvey(slug, id)
  const { project, viewer } = opened
  const [{ dashboards }, tags] = await Promise.all([
    savingChoicesOf(project.id, viewer),
    getProduct().surveyResults.tags(project.id, id, viewer),
  ])

  return (
    <SurveyFrame {...opened} view="results" question={inAddress(question)}>
      {opened.survey.startsAt ? (
        <>
          <ResultsFilters
            view="results"
            slug={slug}
            survey={id}
            question={question}
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
            <Results opened={opened} question={question} />
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
