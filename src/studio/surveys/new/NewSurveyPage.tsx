import type { Metadata } from 'next'
import { surveyTemplates } from '#surveys/templates'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { openProject, whyNot } from '#studio/parts/open-project'
import { NumberProblem } from '#studio/numbers/NumberProblem'
import { peopleOfNumber } from '#studio/numbers/people-of-number'
import { type SearchParams, textOf } from '#studio/search-params'
import { NewSurvey } from './NewSurvey'

export const metadata: Metadata = { title: 'New survey' }

interface NewSurveyPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

export async function NewSurveyPage({ params, searchParams }: NewSurveyPageProps) {
  const opened = await openProject((await params).project)
  const { project, role } = opened
  const search = await searchParams
  const number = await peopleOfNumber(opened, search)
  const people = number?.done ? number.people : undefined
  return (
    <Page
      title="New survey"
      breadcrumbs={[
        { label: project.name, href: paths.project(project.slug) },
        { label: 'Surveys', href: paths.surveys(project.slug) },
      ]}
    >
      {number && !number.done && <NumberProblem {...number} />}
      <NewSurvey
        people={people}
        page={textOf(search['page'])}
        slug={project.slug}
        templates={surveyTemplates.map(({ id, name, description, input }) => ({
          id,
          name,
          description,
          questions: input.content.questions.length,
        }))}
        whyNot={whyNot('surveys:write', role) ?? (people && whyNot('insights:write', role))}
      />
    </Page>
  )
}
