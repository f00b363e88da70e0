import { type ReactNode } from 'react'
import type { SavedCard, Dashboard, ViewOverrides } from '#dashboards/dashboard'
import type { ListedDashboard } from '#dashboards/dashboards'
import type { ViewQuery } from '#dashboards/view-overrides-in-url'
import { localTime } from '#insights/calendar/local-time'
import { queryText } from '#insights/text/query-text'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { LinkButton } from '#ui/LinkButton'
import { Notice } from '#ui/page/Notice'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { AnnotationFromAddress } from '#studio/annotations/AnnotationFromAddress'
import { AnnotationsPopover } from '#studio/annotations/AnnotationsPopover'
import { chartSettingsOf } from '#studio/insights/chart-settings'
import { type Opened, whyNot } from '#studio/parts/open-project'
import { type CardsContext, DashboardCardView } from './DashboardCardView'
import { Board } from './Board'
import { DashboardToolbar } from './DashboardToolbar'

interface DashboardViewProps {
  opened: Opened
  dashboard: ListedDashboard
  viewQuery: ViewQuery
  /** The page's own address, without its query. */
  here: (query: { annotate?: string }) => string
}

/** A dashboard, to view or to edit. */
export async function DashboardView({ opened, dashboard, viewQuery, here }: DashboardViewProps) {
  const { project, role } = opened
  const { slug } = project
  const overrides = getProduct().dashboards.viewOverridesFor(dashboard, viewQuery)
  const isEditing = viewQuery.edit === 'yes' && dashboard.archivedAt === undefined
  const names = await namesOfInsights(opened)
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
          insights={[...names].map(([id, name]) => ({ id, name }))}
          cards={dashboard.cards.map((card) => ({
            ...card,
            label: labelOf(card, names),
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
      body="Add insights and text, then arrange them on the grid."
      action={
        <LinkButton href={href} variant="primary">
          Add card
        </LinkButton>
      }
    />
  </div>
)

async function namesOfInsights({ project, viewer }: Opened): Promise<ReadonlyMap<string, string>> {
  const listed = await getProduct().insights.saved.list(project.id, {}, viewer)
  return new Map(listed.done ? listed.insights.map(({ id, name }) => [id, name]) : [])
}

function labelOf({ content }: SavedCard, names: ReadonlyMap<string, string>): string {
  if (content.type === 'text') return 'Text'
  return content.type === 'question' ? content.title : (names.get(content.insight) ?? 'Deleted insight')
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
    drill:
      viewQuery.annotate === undefined
        ? (query) => (point) => paths.personsBehind(slug, query, point)
        : (_, answer) => (point) => annotating(answer, point, here),
    overridesKey: JSON.stringify(overrides),
  }
}

function titleHref(slug: string, content: SavedCard['content']): string | undefined {
  if (content.type === 'insight') return paths.insight(slug, content.insight)
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
