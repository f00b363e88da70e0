import { type ReactNode } from 'react'
import type { SavedCard, Dashboard, ViewOverrides } from '#dashboards/dashboard'
import type { ListedDashboard } from '#dashboards/dashboards'
import type { ViewQuery } from '#dashboards/view-overrides-in-url'
import { localTime } from '#insights/calendar/local-time'
import { queryText } from '#insights/text/query-text'
import { may } from '#projects/access'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { LinkButton } from '#ui/LinkButton'
import { Notice } from '#ui/page/Notice'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { AnnotationFromAddress } from '#studio/annotations/AnnotationFromAddress'
import { AnnotationsPopover } from '#studio/annotations/AnnotationsPopover'
import { chartSettingsOf } from '#studio/insights/chart-settings'
import { type Opened, whyNot } from '#studio/parts/open-project'
import { textOf } from '#studio/search-params'
import { type CardsContext, DashboardCardView } from './DashboardCardView'
import { Board } from './Board'
import type { CardChoiceLists } from './card-choices'
import { DashboardToolbar } from './DashboardToolbar'

interface DashboardViewProps {
  opened: Opened
  dashboard: ListedDashboard
  viewQuery: ViewQuery
  /** The page's own address, without its query. */
  here: (query: { annotate?: string; exact?: string }) => string
}

/** A dashboard, to view or to edit. */
export async function DashboardView({ opened, dashboard, viewQuery, here }: DashboardViewProps) {
  const { project, role } = opened
  const { slug } = project
  const overrides = getProduct().dashboards.viewOverridesFor(dashboard, viewQuery)
  const isEditing = viewQuery.edit === 'yes' && dashboard.archivedAt === undefined
  const choices = await choicesOf(opened, isEditing)
  const cards = await cardsContext({ opened, dashboard, look: overrides, viewQuery, here })
  const reason = whyNot('insights:write', role)

  return (
    <>
      {dashboard.archivedAt && (
        <Notice tone="warning" title="This dashboard is archived">
          Restore it from the menu above.
        </Notice>
      )}
      <DashboardToolbar
        slug={slug}
        id={dashboard.id}
        overrides={overrides}
        kept={dashboard.look}
        whyNot={reason}
        annotations={
          <Annotated opened={opened} dashboard={dashboard} pressed={viewQuery.annotate} whyNot={reason} />
        }
      />
      {dashboard.cards.length === 0 && !isEditing ? (
        <NoCards href={paths.dashboard(slug, dashboard.id, { edit: 'yes' })} />
      ) : (
        <Board
          slug={slug}
          id={dashboard.id}
          name={dashboard.name}
          isEditing={isEditing && reason === undefined}
          choices={choices}
          cards={dashboard.cards.map((card) => ({
            ...card,
            label: labelOf(card, choices),
            shown: <DashboardCardView card={card} {...cards} />,
          }))}
        />
      )}
    </>
  )
}

const NoCards = ({ href }: { href: string }): ReactNode => (
  <div className="rounded-lg border border-dashed border-line-strong">
    <EmptyMessage
      title="This dashboard is empty"
      body="Add insights, results of experiments and text, then arrange them on the grid."
      action={
        <LinkButton href={href} variant="primary">
          Add card
        </LinkButton>
      }
    />
  </div>
)

/** Experiments are chosen, and named, only while the dashboard is edited. */
async function choicesOf({ project, viewer }: Opened, isEditing: boolean): Promise<CardChoiceLists> {
  const { insights, experiments } = getProduct()
  const listed = await insights.saved.list(project.id, {}, viewer)
  const seen =
    isEditing && may('experiments:read', project.id, viewer) ? await experiments.list(project.id, viewer) : []
  return {
    insights: listed.done ? listed.insights.map(({ id, name }) => ({ id, name })) : [],
    experiments: seen
      .filter(({ archivedAt }) => !archivedAt)
      .map(({ id, name, metrics }) => ({
        id,
        name,
        metrics: metrics.map((metric) => ({ id: metric.id, name: metric.name })),
      })),
  }
}

function labelOf({ content }: SavedCard, { insights, experiments }: CardChoiceLists): string {
  if (content.type === 'text') return 'Text'
  if (content.type === 'question') return content.title
  return content.type === 'insight'
    ? (insights.find(({ id }) => id === content.insight)?.name ?? 'Deleted insight')
    : (experiments.find(({ id }) => id === content.experiment)?.name ?? 'Archived experiment')
}

async function cardsContext({
  opened: { project, viewer },
  dashboard,
  look: overrides,
  viewQuery,
  here,
}: DashboardViewProps & { look: ViewOverrides }): Promise<CardsContext> {
  const { dashboards } = getProduct()
  const { annotations } = getProduct().insights
  const { slug } = project
  return {
    ask: dashboards.asking(project.id, overrides, viewer, `dashboard ${dashboard.id}`),
    chartSettings: chartSettingsOf(project),
    notes: await annotations.notesFor(project.id, { dashboard: dashboard.id }, viewer),
    retryHref: here({}),
    titleHref: ({ content }) => titleHref(slug, content),
    exactHref: ({ id }) => here({ exact: id }),
    exactCard: textOf(viewQuery.exact),
    drill:
      viewQuery.annotate === undefined
        ? (query) => (point) => paths.personsBehind(slug, query, point)
        : (_, answer) => (point) => annotating(answer, point, here),
    overridesKey: JSON.stringify(overrides),
  }
}

function titleHref(slug: string, content: SavedCard['content']): string | undefined {
  if (content.type === 'insight') return paths.insight(slug, content.insight)
  if (content.type === 'experiment') return paths.experiment(slug, content.experiment)
  if (content.type === 'text') return undefined
  const { kind, survey } = content.question
  return kind === 'survey'
    ? paths.surveyResults(slug, String(survey))
    : paths.newInsight(slug, { q: queryText(content.question) })
}

/** While annotating, a click on a point of time opens its annotation form instead of the persons. */
function annotating(answer: unknown, point: object, here: DashboardViewProps['here']): string | undefined {
  const bucket = 'bucket' in point && typeof point.bucket === 'number' ? point.bucket : undefined
  const starts = typeof answer === 'object' && answer && 'starts' in answer ? answer.starts : undefined
  const start: unknown = bucket !== undefined && Array.isArray(starts) ? starts[bucket] : undefined
  return typeof start === 'string' ? here({ annotate: start }) : undefined
}

async function Annotated({
  opened: { project, viewer },
  dashboard,
  pressed,
  whyNot: reason,
}: {
  opened: Opened
  dashboard: Dashboard
  pressed: ViewQuery[string]
  whyNot: string | undefined
}) {
  const { slug, timeZone } = project
  const all = await getProduct().insights.annotations.list(project.id, viewer)
  const shown = all
    .filter(({ scope, subjectId }) => scope === 'project' || subjectId === dashboard.id)
    .map(({ id, at, text, scope, createdBy }) => ({
      id,
      at,
      local: localTime(at, timeZone),
      text,
      isOfProject: scope === 'project',
      createdBy,
    }))
  const panelProps = { slug, dashboard: dashboard.id, timeZone, whyNot: reason }
  const at = typeof pressed === 'string' ? new Date(pressed) : undefined
  return (
    <>
      <AnnotationsPopover {...panelProps} annotations={shown} now={localTime(new Date(), timeZone)} />
      {at && !Number.isNaN(at.getTime()) && (
        <AnnotationFromAddress key={at.toISOString()} {...panelProps} now={localTime(at, timeZone)} />
      )}
    </>
  )
}
