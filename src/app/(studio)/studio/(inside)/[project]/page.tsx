import {
  Check,
  ChevronRight,
  CircleCheck,
  Clock3,
  KeyRound,
  type LucideIcon,
  Plug,
  UserPlus,
} from 'lucide-react'
import type { Metadata } from 'next'
import type { ComponentProps, ReactNode } from 'react'
import type { ViewQuery } from '#dashboards/view-overrides-in-url'
import { Anchor, TextLink } from '#ui/Anchor'
import { CopyField } from '#ui/copy/CopyField'
import { Icon } from '#ui/Icon'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { apiDescription, paths } from '#app/paths'
import { getProduct } from '#app/product'
import { DashboardPage } from '#app/(studio)/dashboards/DashboardPage'
import { type Opened, openProject } from '#app/(studio)/open-project'
import { tryRead } from '#app/(studio)/refusals'
import { roleLabels, roleDescriptions } from '#app/(studio)/roles'
import { unbuiltSections } from '#app/(studio)/nav-sections'
import { installationAddress } from './connect/address'
import { WaitingPanel } from './connect/WaitingPanel'

interface HomePageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<ViewQuery>
}

export async function generateMetadata({ params }: Pick<HomePageProps, 'params'>): Promise<Metadata> {
  const { project } = await openProject((await params).project)
  return { title: `Home · ${project.name}` }
}

export default async function HomePage({ params, searchParams }: HomePageProps) {
  const opened = await openProject((await params).project)
  const chosen = await getProduct().dashboards.home(opened.project.id, opened.viewer)
  if (chosen) return <ChosenHome opened={opened} dashboard={chosen} viewQuery={await searchParams} />
  const { project, role } = opened
  const { slug, writeKey, hosts, timeZone } = project

  return (
    <Page title={project.name} description={`Days begin and end by ${timeZone.replaceAll('_', ' ')}.`}>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex flex-col gap-6">
          <Panel title="Next steps" flush>
            <NextSteps steps={await setupStepsFor(opened)} />
          </Panel>
          <Panel
            title="Write key"
            description="Public by design: it can only write. Trackers and SDKs send it."
          >
            <CopyField label="Write key" labelHidden value={writeKey} />
          </Panel>
        </div>
        <div className="flex flex-col gap-6">
          {(await isStillWaiting(opened)) && (
            <WaitingPanel
              project={{ slug, key: writeKey, hosts, timeZone }}
              address={await installationAddress()}
              onlyWhileWaiting
            />
          )}
          <Panel title="What works today">
            <FeatureList />
          </Panel>
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

/** Shows the dashboard that a member chose as the home page, instead of the first steps. */
function ChosenHome(props: Omit<ComponentProps<typeof DashboardPage>, 'address'>) {
  const { slug } = props.opened.project
  return <DashboardPage {...props} address={(question) => paths.project(slug, question)} />
}

/** Whether the project never had an event. False while the engine is unavailable. */
async function isStillWaiting({ project, viewer }: Opened): Promise<boolean> {
  try {
    return !(await getProduct().events.hasAny(project.id, viewer))
  } catch (problem) {
    if (problem instanceof Error && problem.name === 'EngineError') return false
    throw problem
  }
}

interface SetupStep {
  icon: LucideIcon
  href: string
  title: string
  why: string
  isDone?: boolean
}

async function setupStepsFor({ project: { id, slug }, viewer }: Opened): Promise<SetupStep[]> {
  const { members, keys } = getProduct()
  const others = (await members.list(id, viewer)).length > 1
  const keyList = await tryRead(() => keys.list(id, viewer))
  return [
    {
      icon: Plug,
      href: paths.connect(slug),
      title: 'Connect a site',
      why: 'The snippet for whatever it speaks already: Tilth, PostHog, Vercel, Plausible, Umami or plain HTTP.',
    },
    {
      icon: UserPlus,
      href: paths.members(slug),
      title: 'Invite the people you work with',
      why: 'A link brings each of them in, with the role you choose.',
      isDone: others,
    },
    {
      icon: KeyRound,
      href: paths.keys(slug),
      title: 'Create a secret key',
      why: 'Programs show it to the management API, which can do what these pages can.',
      isDone: keyList.allowed && keyList.found.some(({ revokedAt }) => !revokedAt),
    },
    {
      icon: Clock3,
      href: paths.settings(slug),
      title: 'Check the time zone',
      why: 'Every answer about days depends on it.',
    },
  ]
}

function NextSteps({ steps }: { steps: readonly SetupStep[] }) {
  return (
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
            <Icon of={ChevronRight} className="text-faint transition-transform group-hover:translate-x-0.5" />
          </Anchor>
        </li>
      ))}
    </ol>
  )
}

const featureTexts = [
  'Collecting events from Tilth’s own script and from the clients of PostHog, Vercel, Plausible and Umami',
  'Web analytics on one page, and who is there right now',
  'Trends, funnels, retention, paths and more, on dashboards that can be shared by link',
  'The people behind every number, in cohorts and groups',
  'Alerts and reports, by e-mail and webhook',
  'SQL over your own events',
]

const unbuiltLabels = Array.from(unbuiltSections.values(), ({ label }) => label.toLowerCase())

function FeatureList() {
  return (
    <>
      <ul className="flex flex-col gap-2">
        {featureTexts.map((thing) => (
          <Line key={thing}>{thing}</Line>
        ))}
        <Line>
          The management API for all of it, described at{' '}
          <TextLink href={apiDescription}>{apiDescription}</TextLink>
        </Line>
      </ul>
      <p className="mt-4 border-t border-line pt-3 text-pretty text-muted">
        Not built yet: {unbuiltLabels.join(', ')}.
      </p>
    </>
  )
}

function Line({ children }: { children: ReactNode }) {
  return (
    <li className="flex items-start gap-2.5">
      <Icon of={Check} className="mt-0.5 text-success" />
      <span>{children}</span>
    </li>
  )
}
