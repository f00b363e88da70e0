import type { Metadata } from 'next'
import { Suspense } from 'react'
import { kindOfQuestion } from '../../../../../../../insights/charts'
import { questionFrom, questionText } from '../../../../../../../insights/question-text'
import { Icon } from '../../../../../../../ui/Icon'
import { LinkTabs } from '../../../../../../../ui/LinkTabs'
import { Page } from '../../../../../../../ui/Page'
import { paths } from '../../../../../../paths'
import { AnswerLoading, AnswerPanel } from '../../../../../insights/AnswerPanel'
import { Builder } from '../../../../../insights/Builder'
import { builtKinds, wordsFor } from '../../../../../insights/kinds'
import { shelvesOf } from '../../../../../insights/shelves'
import { startFor } from '../../../../../insights/start'
import { openProject, whyNot } from '../../../../../open-project'

export const metadata: Metadata = { title: 'New insight' }

interface NewInsightProps {
  params: Promise<{ project: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** A question that is being built; nothing is kept until somebody says so. */
export default async function NewInsightPage({ params, searchParams }: NewInsightProps) {
  const { project, viewer, role } = await openProject((await params).project)
  const { q, kind, explain } = await searchParams
  const asked = questionFrom(typeof q === 'string' ? q : undefined)
  const wanted = { asked, kind: typeof kind === 'string' ? kind : undefined }
  const { question, problem } = await startFor(project.id, wanted, viewer)
  const current = kindOfQuestion(question)
  const { slug } = project

  return (
    <Page
      title={wordsFor(current).asks}
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'Insights', href: paths.insights(slug) },
      ]}
      tabs={
        <LinkTabs
          label="Kinds of questions"
          tabs={builtKinds.map(({ kind: each, label, icon }) => ({
            href: paths.newInsight(slug, { kind: each }),
            label,
            icon: <Icon of={icon} size="sm" />,
            current: each === current,
          }))}
        />
      }
    >
      <Builder
        key={current}
        slug={slug}
        answered={question}
        problem={problem}
        {...await shelvesOf(project.id, viewer)}
        whyNot={whyNot('insights:write', role)}
      >
        <Suspense fallback={<AnswerLoading />}>
          <AnswerPanel
            project={project}
            viewer={viewer}
            question={question}
            here={paths.newInsight(slug, { q: questionText(question) })}
            explain={{
              isShown: explain === 'yes',
              href: paths.newInsight(slug, {
                q: questionText(question),
                explain: explain === 'yes' ? undefined : 'yes',
              }),
              whyNot: whyNot('sql:read', role),
            }}
          />
        </Suspense>
      </Builder>
    </Page>
  )
}
