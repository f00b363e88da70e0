import { type ReactNode } from 'react'
import type { Card, Dashboard, Look } from '../../../dashboards/dashboard'
import type { ListedDashboard } from '../../../dashboards/dashboards'
import type { SaidLook } from '../../../dashboards/said-look'
import { localTime } from '../../../insights/local-time'
import { questionText } from '../../../insights/question-text'
import { EmptyMessage } from '../../../ui/EmptyMessage'
import { LinkButton } from '../../../ui/LinkButton'
import { Notice } from '../../../ui/Notice'
import { type CardsGround, DashboardCard } from '../../dashboard/AnsweredCard'
import { paths } from '../../paths'
import { getProduct } from '../../product'
import { AnnotationsPanel } from '../annotations/AnnotationsPanel'
import { PressedAnnotation } from '../annotations/PressedAnnotation'
import { groundOf } from '../insights/ground'
import { type Opened, whyNot } from '../open-project'
import { Board } from './Board'
import { LookBar } from './LookBar'

interface DashboardViewProps {
  opened: Opened
  dashboard: ListedDashboard
  said: SaidLook
  /** The page's own address, without what it is asked. */
  here: (question: { annotate?: string }) => string
}

/** A dashboard as one looks at it, or edits it. */
export async function DashboardView({ opened, dashboard, said, here }: DashboardViewProps) {
  const { project, role } = opened
  const { slug } = project
  const look = getProduct().dashboards.lookAt(dashboard, said)
  const isEditing = said.edit === 'yes' && dashboard.archivedAt === undefined
  const names = await namesOfInsights(opened)
  const cards = await cardsGround({ opened, dashboard, look, said, here })
  const reason = whyNot('insights:write', role)

  return (
    <>
      {dashboard.archivedAt && (
        <Notice tone="warning" title="This dashboard is archived">
          It is in no list any more. Bring it back from the menu above.
        </Notice>
      )}
      <LookBar slug={slug} id={dashboard.id} look={look} kept={dashboard.look} whyNot={reason} />
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
            shown: <DashboardCard card={card} {...cards} />,
          }))}
        />
      )}
      <Annotated opened={opened} dashboard={dashboard} pressed={said.annotate} whyNot={reason} />
    </>
  )
}

const NoCards = ({ href }: { href: string }): ReactNode => (
  <div className="rounded-lg border border-dashed border-line-strong">
    <EmptyMessage
      title="Nothing stands here yet"
      body="Put saved insights, questions and words onto it, each where you want it."
      action={
        <LinkButton href={href} variant="primary">
          Add the first card
        </LinkButton>
      }
    />
  </div>
)

async function namesOfInsights({ project, viewer }: Opened): Promise<ReadonlyMap<string, string>> {
  const listed = await getProduct().savedInsights.list(project.id, {}, viewer)
  return new Map(listed.done ? listed.insights.map(({ id, name }) => [id, name]) : [])
}

function labelOf({ content }: Card, names: ReadonlyMap<string, string>): string {
  if (content.type === 'text') return 'Text'
  return content.type === 'question' ? content.title : (names.get(content.insight) ?? 'A missing insight')
}

async function cardsGround({
  opened: { project, viewer },
  dashboard,
  look,
  said,
  here,
}: DashboardViewProps & { look: Look }): Promise<CardsGround> {
  const { dashboards, annotations } = getProduct()
  const { slug } = project
  return {
    ask: dashboards.asking(project.id, look, viewer),
    ground: groundOf(project),
    notes: await annotations.notesFor(project.id, { dashboard: dashboard.id }, viewer),
    here: here({}),
    titleHref: ({ content }) => titleHref(slug, content),
    drill:
      said.annotate === undefined
        ? (question) => (point) => paths.personsBehind(slug, question, point)
        : (_, answer) => (point) => annotating(answer, point, here),
    lookKey: JSON.stringify(look),
  }
}

function titleHref(slug: string, content: Card['content']): string | undefined {
  if (content.type === 'insight') return paths.insight(slug, content.insight)
  return content.type === 'question'
    ? paths.newInsight(slug, { q: questionText(content.question) })
    : undefined
}

/** While somebody annotates, a press on a point of time leads to the words about it, not to the persons. */
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
  pressed: SaidLook[string]
  whyNot: string | undefined
}) {
  const { slug, timeZone } = project
  const all = await getProduct().annotations.list(project.id, viewer)
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
  const ground = { slug, dashboard: dashboard.id, timeZone, whyNot: reason }
  const at = typeof pressed === 'string' ? new Date(pressed) : undefined
  return (
    <>
      <AnnotationsPanel {...ground} annotations={shown} now={localTime(new Date(), timeZone)} />
      {at && !Number.isNaN(at.getTime()) && (
        <PressedAnnotation key={at.toISOString()} {...ground} now={localTime(at, timeZone)} />
      )}
    </>
  )
}
