import type { Metadata } from 'next'
import { Suspense } from 'react'
import { queryFrom, queryText } from '#insights/text/query-text'
import { Icon } from '#ui/Icon'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { AnswerLoading, AnswerPanel } from './AnswerPanel'
import { Builder } from './Builder'
import { builtKinds, labelsFor, titleFor } from './kinds'
import { savingChoicesOf } from './saving-choices'
import { chosenPeriod, startingQuery } from './starting-query'
import { openProject, whyNot } from '#studio/parts/open-project'
import type { SearchParams } from '#studio/search-params'

export const metadata: Metadata = { title: 'New insight' }

interface NewInsightProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

/** Builds a query. It is stored only when a member saves it. */
export async function NewInsightPage({ params, searchParams }: NewInsightProps) {
  const { project, viewer, role } = await openProject((await params).project)
  const { q, kind, period, explain, exact } = await searchParams
  const asked = queryFrom(typeof q === 'string' ? q : undefined)
  const start = {
    asked,
    kind: typeof kind === 'string' ? kind : undefined,
    period: typeof period === 'string' ? period : undefined,
  }
  const { question, problem } = await startingQuery(project.id, start, viewer)
  const current = question.kind
  const keptPeriod = chosenPeriod(question)
  const { slug } = project
  const shown = { q: queryText(question), exact: exact === 'yes' ? exact : undefined } as const

  return (
    <Page
      title={labelsFor(current).asks}
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'Insights', href: paths.insights(slug) },
      ]}
      tabs={
        <LinkTabs
          label="Insight types"
          tabs={builtKinds.map(({ kind: each, label, icon }) => ({
            href: paths.newInsight(slug, { kind: each, period: keptPeriod }),
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
        q={typeof q === 'string' ? q : undefined}
        problem={problem}
        {...await savingChoicesOf(project.id, viewer)}
        whyNot={whyNot('insights:write', role)}
      >
        <Suspense fallback={<AnswerLoading />}>
          <AnswerPanel
            project={project}
            viewer={viewer}
            question={question}
            title={titleFor(question)}
            retryHref={paths.newInsight(slug, shown)}
            explain={{
              isShown: explain === 'yes',
              href: paths.newInsight(slug, { ...shown, explain: explain === 'yes' ? undefined : 'yes' }),
              whyNot: whyNot('sql:read', role),
            }}
            exact={{ isAsked: exact === 'yes', href: paths.newInsight(slug, { ...shown, exact: 'yes' }) }}
          />
        </Suspense>
      </Builder>
    </Page>
  )
}
