import { Pencil } from 'lucide-react'
import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache, Suspense } from 'react'
import { questionFrom } from '../../../../../../../insights/question-text'
import type { ListedInsight } from '../../../../../../../insights/saved-insights'
import { Badge } from '../../../../../../../ui/Badge'
import { Icon } from '../../../../../../../ui/Icon'
import { LinkButton } from '../../../../../../../ui/LinkButton'
import { Notice } from '../../../../../../../ui/Notice'
import { Page } from '../../../../../../../ui/Page'
import { paths } from '../../../../../../paths'
import { getProduct } from '../../../../../../product'
import { AnswerLoading, AnswerPanel } from '../../../../../insights/AnswerPanel'
import { readFor } from '../../../../../insights/ask'
import { Builder } from '../../../../../insights/Builder'
import { InsightMenu } from '../../../../../insights/InsightMenu'
import { shelvesOf } from '../../../../../insights/shelves'
import { ofKind } from '../../../../../insights/start'
import { type Opened, openProject, whyNot } from '../../../../../open-project'
import { ShareFor } from '../../../../../shares/ShareFor'
import { Favourite } from '../InsightsTable'
import { History } from './History'
import { PeriodChoice } from './PeriodChoice'

interface InsightProps {
  params: Promise<{ project: string; insight: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** For the title and for the page; found once. */
const openInsight = cache(async (slug: string, id: string) => {
  const opened = await openProject(slug)
  const insight = await getProduct().savedInsights.find(opened.project.id, id, opened.viewer)
  if (!insight) notFound()
  return { ...opened, insight }
})

export async function generateMetadata({ params }: Pick<InsightProps, 'params'>): Promise<Metadata> {
  const { project, insight } = await params
  return { title: (await openInsight(project, insight)).insight.name }
}

/** A question that was kept, and its answer as of now. */
export default async function InsightPage({ params, searchParams }: InsightProps) {
  const { project: slug, insight: id } = await params
  const opened = await openInsight(slug, id)
  const { project, viewer, role, insight } = opened
  const { q, edit, explain } = await searchParams
  await getProduct().savedInsights.noteViewed(insight, viewer)
  const isEditing = edit === 'yes'
  const reason = whyNot('insights:write', role)
  const shelves = await shelvesOf(project.id, viewer)

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
            <LinkButton href={paths.insight(slug, id, { edit: 'yes' })} icon={<Icon of={Pencil} />}>
              Edit
            </LinkButton>
          )}
          <ShareFor
            {...{ project, viewer, role }}
            subject={{ kind: 'insight', id }}
            name={insight.name}
            unless={insight.archivedAt && 'An archived insight is not shared'}
          />
          <InsightMenu slug={slug} insight={shownOf(insight)} {...shelves} whyNot={reason} />
        </>
      }
    >
      {insight.archivedAt && (
        <Notice tone="warning" title="This insight is archived">
          It is in no list any more. Bring it back from the menu above.
        </Notice>
      )}
      <Asked
        {...opened}
        q={typeof q === 'string' ? q : undefined}
        isEditing={isEditing}
        isExplained={explain === 'yes'}
        shelves={shelves}
      />
      {!isEditing && <Past {...opened} whyNot={reason} />}
    </Page>
  )
}

type Loaded = Opened & { insight: ListedInsight }

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

const shownOf = ({ id, name, description, folder, tags, archivedAt }: ListedInsight) => ({
  id,
  name,
  description,
  folder,
  tags,
  archivedAt,
})

interface AskedProps {
  q: string | undefined
  isEditing: boolean
  isExplained: boolean
  shelves: { folders: string[]; tags: string[] }
}

/** The answer; with what builds the question beside it, where it is being changed. */
function Asked({ project, viewer, role, insight, q, isEditing, isExplained, shelves }: Loaded & AskedProps) {
  const { question, problem } = changedQuestion(insight, q)
  const { slug } = project
  const look = { q, edit: isEditing ? ('yes' as const) : undefined }
  const answer = (
    <Suspense fallback={<AnswerLoading />}>
      <AnswerPanel
        project={project}
        viewer={viewer}
        question={question}
        name={insight.name}
        insightId={insight.id}
        here={paths.insight(slug, insight.id, look)}
        explain={{
          isShown: isExplained,
          href: paths.insight(slug, insight.id, { ...look, explain: isExplained ? undefined : 'yes' }),
          whyNot: whyNot('sql:read', role),
        }}
      />
    </Suspense>
  )
  if (isEditing)
    return (
      <Builder
        slug={slug}
        answered={question}
        problem={problem}
        saved={shownOf(insight)}
        {...shelves}
        whyNot={whyNot('insights:write', role)}
      >
        {answer}
      </Builder>
    )
  return (
    <div className="flex flex-col gap-3">
      <PeriodChoice slug={slug} id={insight.id} kept={insight.question} shown={question} />
      {problem && <Notice tone="warning" title={problem} />}
      {answer}
    </div>
  )
}

/** What the address asks in the place of what was kept; only where it makes sense. */
function changedQuestion({ question }: ListedInsight, q: string | undefined) {
  const asked = questionFrom(q)
  if (asked === undefined) return { question }
  const read = readFor(asked)
  if (!read.done) return { question, problem: read.problems.map(({ message }) => message).join(' ') }
  return { question: ofKind(read.question) }
}

async function Past({ project, viewer, insight, whyNot: reason }: Loaded & { whyNot?: string }) {
  const listed = await getProduct().savedInsights.versions(project.id, insight.id, viewer)
  return (
    <History
      slug={project.slug}
      id={insight.id}
      versions={listed.done ? listed.versions : []}
      clock={{ now: new Date(), timeZone: project.timeZone }}
      whyNot={reason}
    />
  )
}
