import { ChevronRight, CircleCheck, KeyRound, type LucideIcon, Plug, UserPlus } from 'lucide-react'
import type { Metadata } from 'next'
import { type ComponentProps, Suspense } from 'react'
import type { ViewQuery } from '#dashboards/view-overrides-in-url'
import { queryText } from '#insights/text/query-text'
import { Anchor } from '#ui/Anchor'
import { CopyField } from '#ui/copy/CopyField'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { apiDescription, paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { DashboardPage } from '#studio/dashboards/DashboardPage'
import { AnswerLoading, AnswerPanel } from '#studio/insights/AnswerPanel'
import { FindingList } from '#studio/parts/FindingList'
import { type Opened, openProject, whyNot } from '#studio/parts/open-project'
import { tryEngine, tryRead } from '#studio/parts/refusals'
import { roleLabels, roleDescriptions } from '#studio/parts/roles'
import { installationAddress } from '#studio/connect/address'
import { LazyWaitingPanel } from '#studio/connect/LazyPanels'
import { isStillWaiting } from '#studio/connect/still-waiting'

interface HomePageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<ViewQuery>
}

export async function generateMetadata({ params }: Pick<HomePageProps, 'params'>): Promise<Metadata> {
  const { project } = await openProject((await params).project)
  return { title: `Home · ${project.name}` }
}

export async function HomePage({ params, searchParams }: HomePageProps) {
  const opened = await openProject((await params).project)
  const chosen = await getProduct().dashboards.home(opened.project.id, opened.viewer)
  if (chosen) return <ChosenHome opened={opened} dashboard={chosen} viewQuery={await searchParams} />
  return (await isStillWaiting(opened)) ? <FirstMinutes opened={opened} /> : <Numbers opened={opened} />
}

const describe = ({ timeZone }: Opened['project']): string => `Time zone: ${timeZone.replaceAll('_', ' ')}`

/** Before the first event: what to do, and whether anything arrives. */
async function FirstMinutes({ opened }: { opened: Opened }) {
  const { project, role } = opened
  const { slug, name, writeKey, hosts, timeZone } = project

  return (
    <Page title={name} description={describe(project)}>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex flex-col gap-6">
          <NextSteps steps={await setupStepsFor(opened, { isConnected: false })} />
          <Panel
            title="Write key"
            description="Public by design: it can only send events and evaluate flags. SDKs send it."
          >
            <CopyField label="Write key" labelHidden value={writeKey} />
          </Panel>
        </div>
        <div className="flex flex-col gap-6">
          <LazyWaitingPanel
            project={{ slug, key: writeKey, hosts, timeZone }}
            address={await installationAddress()}
            onlyWhileWaiting
          />
          <Panel title="Your role">
            <p>
              <b className="font-semibold">{roleLabels[role]}.</b>{' '}
              <span className="text-muted">{roleDescriptions[role]}</span>
            </p>
          </Panel>
        </div>
      </div>
    </Page>
  )
}

const pageViews = { event: '$pageview', measure: { math: 'persons' }, label: 'Visitors' }

/** The queries of Home where no dashboard was chosen for it. */
const homeQueries = [
  { name: 'Last 7 days', question: { kind: 'totals', period: '7d', compare: 'previous' } },
  {
    name: 'Visitors of the last 30 days',
    question: { kind: 'trend', period: '30d', compare: 'previous-weekday', series: [pageViews] },
  },
]

/** From the first event on: the numbers, and what is left to set up. */
async function Numbers({ opened }: { opened: Opened }) {
  const { project, viewer, role } = opened
  const { slug } = project
  const steps = await setupStepsFor(opened, { isConnected: true })
  const shownIn = getProduct().insights.answersOf(project.id, 'home')

  return (
    <Page
      title={project.name}
      description={describe(project)}
      actions={<LinkButton href={paths.web(slug)}>Web analytics</LinkButton>}
    >
      <div className="flex flex-col gap-6">
        <LastWeek opened={opened} />
        {steps.some(({ isDone }) => !isDone) && <NextSteps steps={steps} />}
        {homeQueries.map(({ name, question }) => (
          <Suspense key={name} fallback={<AnswerLoading />}>
            <AnswerPanel
              project={project}
              viewer={viewer}
              question={question}
              title={name}
              retryHref={paths.project(slug)}
              shownIn={shownIn}
              explain={{
                isShown: false,
                href: paths.newInsight(slug, { q: queryText(question), explain: 'yes' }),
                whyNot: whyNot('sql:read', role),
              }}
            />
          </Suspense>
        ))}
      </div>
    </Page>
  )
}

/** Shows the dashboard that a member chose as the home page, instead of the first steps. */
function ChosenHome(props: Omit<ComponentProps<typeof DashboardPage>, 'address'>) {
  const { slug } = props.opened.project
  return (
    <DashboardPage
      {...props}
      address={(parameters) => paths.project(slug, parameters)}
      above={<LastWeek opened={props.opened} />}
    />
  )
}

/** The sentences about the last week, which are computed after the page is shown. */
function LastWeek({ opened }: { opened: Opened }) {
  return (
    <Suspense fallback={<LastWeekLoading />}>
      <LastWeekFindings opened={opened} />
    </Suspense>
  )
}

const lastWeekTitle = 'Last week'

async function LastWeekFindings({ opened: { project, viewer } }: { opened: Opened }) {
  const outcome = await tryEngine(async () => ({
    done: true,
    last: await getProduct().findings.ofLastWeek(project.id, viewer),
  }))
  if (outcome.done) return <FindingList slug={project.slug} title={lastWeekTitle} {...outcome.last} />
  return (
    <Panel title={lastWeekTitle}>
      <FailedMessage
        title="Last week is not available now"
        body={outcome.problems.map(({ message }) => message).join(' ')}
      />
    </Panel>
  )
}

const LastWeekLoading = () => (
  <Panel title={lastWeekTitle}>
    <Loading label="Last week is loading">
      <Skeleton className="h-14 w-full" />
    </Loading>
  </Panel>
)

interface SetupStep {
  icon: LucideIcon
  href: string
  title: string
  why: string
  isDone?: boolean
}

async function setupStepsFor(
  { project: { id, slug, siteAddress }, viewer }: Opened,
  { isConnected }: { isConnected: boolean },
): Promise<SetupStep[]> {
  const { members, keys } = getProduct().projects
  const others = (await members.list(id, viewer)).length > 1
  const keyList = await tryRead(() => keys.list(id, viewer))
  return [
    {
      icon: Plug,
      href: siteAddress && !isConnected ? paths.firstVisit(slug) : paths.connect(slug),
      title: 'Connect a site',
      why: 'With the SDK of Tilth, PostHog, Vercel, Plausible or Umami, or over HTTP.',
      isDone: isConnected,
    },
    {
      icon: UserPlus,
      href: paths.members(slug),
      title: 'Invite your team',
      why: 'Each invitation is a link with the role you choose.',
      isDone: others,
    },
    {
      icon: KeyRound,
      href: paths.keys(slug),
      title: 'Create secret key',
      why: `For programs that use the management API, described at ${apiDescription}.`,
      // a role that cannot see keys cannot create one either
      isDone: !keyList.allowed || keyList.found.some(({ revokedAt }) => !revokedAt),
    },
  ]
}

function NextSteps({ steps }: { steps: readonly SetupStep[] }) {
  return (
    <Panel title="Next steps" flush>
      <ol className="divide-y divide-line border-t border-line">
        {steps.map(({ icon, href, title, why, isDone }) => (
          <li key={title}>
            <Anchor
              href={href}
              className="group flex items-center gap-3.5 px-4 py-3 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
            >
              <Icon
                of={isDone ? CircleCheck : icon}
                size="lg"
                label={isDone ? 'Done:' : undefined}
                className={isDone ? 'text-success' : 'text-faint'}
              />
              <span className="min-w-0 grow">
                <span className="block font-medium">{title}</span>
                <span className="block text-muted">{why}</span>
              </span>
              <Icon
                of={ChevronRight}
                className="text-faint transition-transform group-hover:translate-x-0.5"
              />
            </Anchor>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
