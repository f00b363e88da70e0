import type { Metadata } from 'next'
import { surveyTemplates } from '#surveys/templates'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { openProject, whyNot } from '#studio/parts/open-project'
import { NewSurvey } from './NewSurvey'

export const metadata: Metadata = { title: 'New survey' }

interface NewSurveyPageProps {
  params: Promise<{ project: string }>
}

export async function NewSurveyPage({ params }: NewSurveyPageProps) {
  const { project, role } = await openProject((await params).project)
  return (
    <Page
      title="New survey"
      breadcrumbs={[
        { label: project.name, href: paths.project(project.slug) },
        { label: 'Surveys', href: paths.surveys(project.slug) },
      ]}
    >
      <NewSurvey
        slug={project.slug}
        templates={surveyTemplates.map(({ id, name, description, input }) => ({
          id,
          name,
          description,
          questions: input.content.questions.length,
        }))}
        whyNot={whyNot('surveys:write', role)}
      />
    </Page>
  )
}
