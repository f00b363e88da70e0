import { Pencil } from 'lucide-react'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache, Suspense } from 'react'
import { queryFrom } from '#insights/text/query-text'
import type { ListedInsight } from '#insights/saved/saved-insights'
import { Badge } from '#ui/Badge'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Notice } from '#ui/page/Notice'
import { Page } from '#ui/page/Page'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { AddToDashboardButton } from '#studio/card-placement/AddToDashboard'
import { type Opened, openProject, whyNot } from '#studio/parts/open-project'
import { SubjectShareButton } from '#studio/shares/SubjectShareButton'
import type { SearchParams } from '#studio/search-params'
import { clockOf } from '#studio/parts/RelativeTime'
import { AnswerLoading, AnswerPanel } from './AnswerPanel'
import { readQuery } from './ask'
import { LazyBuilder, LazyInsightHistory } from './LazyPanels'
import { InsightMenu } from './InsightMenu'
import { type SavingChoices, savingChoicesOf } from './saving-choices'
import { Favourite } from './Favourite'
import { PeriodChoice } from './PeriodChoice'

interface InsightProps {
  params: Promise<{ project: string; insight: string }>
  searchParams: Promise<SearchParams>
}

/** For the title and for the page; found once. */
const openInsight = cache(async (slug: string, id: string) => {
  const opened = await openProject(slug)
  const insight = await getProduct().insights.saved.find(opened.project.id, id, opened.viewer)
  if (!insight) notFound()
  return { ...opened, insight }
})

export async function generateMetadata({ params }: Pick<InsightProps, 'params'>): Promise<Metadata> {
  const { project, insight } = await params
  return { title: (await openInsight(project, insight)).insight.name }
}

/** A saved query and its current answer. */
export async function InsightPage({ params, searchParams }: InsightProps) {
  const { project: slug, insight: id } = await params
  const opened = await openInsight(slug, id)
  const { project, viewer, role, insight } = opened
  const { q, edit, explain, exact } = await searchParams
  await getProduct().insights.saved.noteViewed(insight, viewer)
  const shownQuery = typeof q === 'string' ? q : undefined
  const isEditing = edit === 'yes'
  const reason = whyNot('insights:write', role)
  const choices = await savingChoicesOf(project.id, viewer)

  return (
    <Page
      title={insight.name}
      badge={<Labels insight={insight} />}
      description={insight.description || undefined}
      breadcrumbs={[
        { label: project.name, href: paths.project(slug) },
        { label: 'Insights', href: paths.insights(slug) },
        ...(insight.folder
          ? [{ label: insight.folder, href: paths.insights(slug, { folder: insight.folder }) }]
          : []),
      ]}
      actions={
        <>
          <Favourite slug={slug} insight={insight} />
          {!isEditing && (
            <LinkButton
              href={paths.insight(slug, id, { q: shownQuery, edit: 'yes' })}
              icon={<Icon of={Pencil} />}
            >
              Edit
            </LinkButton>
          )}
          <PlacingActions {...opened} choices={choices} q={shownQuery} />
        </>
      }
    >
      {insight.archivedAt && (
        <Notice tone="warning" title="This insight is archived">
          Restore it from the menu above.
        </Notice>
      )}
      <InsightAnswer
        {...opened}
        q={shownQuery}
        isEditing={isEditing}
        isExplained={explain === 'yes'}
        isExact={exact === 'yes'}
        choices={choices}
      />
      {!isEditing && <PastVersions {...opened} whyNot={reason} />}
    </Page>
  )
}

type LoadedInsight = Opened & { insight: ListedInsight }

/** Adds the insight to a dashboard, shares it, and the menu of the rest. */
function PlacingActions({
  project,
  viewer,
  role,
  insight,
  choices,
  q,
}: LoadedInsight & { choices: SavingChoices; q: string | undefined }) {
  const reason = whyNot('insights:write', role)
  const fields = insightFieldsOf(insight)
  return (
    <>
      {/* a phone has room for its entry in the menu alone */}
      <span className="contents max-sm:hidden">
        <AddToDashboardButton
          slug={project.slug}
          insight={fields}
          dashboards={choices.dashboards}
          whyNot={reason}
        />
      </span>
      <SubjectShareButton
        {...{ project, viewer, role }}
        subject={{ kind: 'insight', id: insight.id }}
        name={insight.name}
        unless={insight.archivedAt && 'Archived insights cannot be shared'}
      />
      <InsightMenu slug={project.slug} insight={fields} choices={choices} q={q} whyNot={reason} />
    </>
  )
}

function Labels({ insight: { tags, archivedAt } }: { insight: ListedInsight }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {archivedAt && <Badge tone="warning">Archived</Badge>}
      {tags.map((tag) => (
        <Badge key={tag} tone="info">
          {tag}
        </Badge>
      ))}
    </span>
  )
}

const insightFieldsOf = ({ id, name, description, folder, tags, archivedAt }: ListedInsight) => ({
  id,
  name,
  description,
  folder,
  tags,
  archivedAt,
})

interface InsightAnswerProps {
  q: string | undefined
  isEditing: boolean
  isExplained: boolean
  isExact: boolean
  choices: SavingChoices
}

/** The answer; with what builds the query beside it, where it is being changed. */
function InsightAnswer({
  project,
  viewer,
  role,
  insight,
  q,
  isEditing,
  isExplained,
  isExact,
  choices,
}: LoadedInsight & InsightAnswerProps) {
  const { question, problem } = changedQuery(insight, q)
  const { slug } = project
  const yesIf = (is: boolean) => (is ? ('yes' as const) : undefined)
  const viewParams = { q, edit: yesIf(isEditing), exact: yesIf(isExact) }
  const answer = (
    <Suspense fallback={<AnswerLoading />}>
      <AnswerPanel
        project={project}
        viewer={viewer}
        question={question}
        title={insight.name}
        insightId={insight.id}
        retryHref={paths.insight(slug, insight.id, viewParams)}
        explain={{
          isShown: isExplained,
          href: paths.insight(slug, insight.id, { ...viewParams, explain: yesIf(!isExplained) }),
          whyNot: whyNot('sql:read', role),
        }}
        exact={{ isAsked: isExact, href: paths.insight(slug, insight.id, { ...viewParams, exact: 'yes' }) }}
      />
    </Suspense>
  )
  if (isEditing)
    return (
      <LazyBuilder
        slug={slug}
        answered={question}
        q={q}
        problem={problem}
        saved={{ ...insightFieldsOf(insight), query: insight.question }}
        {...choices}
        whyNot={whyNot('insights:write', role)}
      >
        {answer}
      </LazyBuilder>
    )
  return (
    <div className="flex flex-col gap-3">
      <PeriodChoice slug={slug} id={insight.id} kept={insight.question} shown={question} />
      {problem && <Notice tone="warning" title={problem} />}
      {answer}
    </div>
  )
}

/** Returns the query in the address instead of the saved one, if it is valid. */
function changedQuery({ question }: ListedInsight, q: string | undefined) {
  const parsed = queryFrom(q)
  if (parsed === undefined) return { question }
  const read = readQuery(parsed)
  if (!read.done) return { question, problem: read.problems.map(({ message }) => message).join(' ') }
  return { question: read.question }
}

async function PastVersions({
  project,
  viewer,
  insight,
  whyNot: reason,
}: LoadedInsight & { whyNot?: string }) {
  const listed = await getProduct().insights.saved.versions(project.id, insight.id, viewer)
  return (
    <LazyInsightHistory
      slug={project.slug}
      id={insight.id}
      versions={listed.done ? listed.versions : []}
      clock={clockOf(project)}
      whyNot={reason}
    />
  )
}
