'use client'

import { valueName } from '#events/value-names'
import { CircleCheck, TriangleAlert, Send } from 'lucide-react'
import { type ReactNode, useEffect, useReducer, useState, useSyncExternalStore, useTransition } from 'react'
import type { StoredLiveEvent, LiveEvent } from '#events/live-event'
import { DescriptionList } from '#ui/DescriptionList'
import { number, time } from '#ui/format'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import { Spinner } from '#ui/Spinner'
import { paths } from '#studio/paths'
import { applyChange, emptyFeed, type LiveFeedEntry } from '#studio/live/feed'
import { labelOfPerson } from '#studio/live/person-labels'
import { usePersonLabels } from '#studio/live/use-person-labels'
import { PersonName } from '#studio/parts/PersonName'
import { useLiveStream } from '#studio/live/use-live-stream'
import { LiveState } from '#studio/live/LiveState'
import { titleOf } from '#studio/live/live-event-labels'
import { CodeBlock } from '#ui/copy/CodeBlock'
import { Button } from '#ui/Button'
import { automatedBrowser, likelyCauses } from './likely-causes'
import {
  type ConnectionTrouble,
  type ConnectionVerdict,
  connectionVerdict,
  hasStored,
} from './connection-verdict'
import { sendTestEvent, type TestOutcome } from './test-event'

/** As much of a project as has to be known to see whether its events arrive. */
interface WaitingProject {
  slug: string
  key: string
  hosts: readonly string[]
  timeZone: string
}

/** The panel suggests likely causes after this time. */
const suggestCausesAfterMs = 30_000

interface WaitingPanelProps {
  project: WaitingProject
  address: string
  /** Hides the panel if events arrive already when the page opens. */
  onlyWhileWaiting?: boolean
  /** Draws what is shown below the first event. */
  renderBelow?: (liveEvents: readonly LiveEvent[]) => ReactNode
}

/** Waits for the site's first event and updates when it arrives. Lists refused events meanwhile. */
export function WaitingPanel({ project, address, onlyWhileWaiting = false, renderBelow }: WaitingPanelProps) {
  const { connection, liveEvents, entries, atFirst } = useFirstLiveEvents(project)
  const isPatient = useIsWithin(suggestCausesAfterMs)
  const verdict = connectionVerdict(liveEvents, project)
  const isAutomated = useIsAutomated()

  if (onlyWhileWaiting && atFirst !== 'waiting' && atFirst !== 'troubled') return null
  if (verdict.is === 'arrived')
    return (
      <>
        <FirstEvent
          entries={entries.filter(({ liveEvent }) => liveEvent === verdict.event)}
          event={verdict.event}
          project={project}
        />
        {renderBelow?.(liveEvents)}
      </>
    )
  return (
    <Panel title="Waiting for an event" actions={<LiveState connection={connection} />}>
      <div className="flex flex-col gap-4">
        {verdict.is === 'troubled' ? (
          <Troubles troubles={verdict.troubles} timeZone={project.timeZone} />
        ) : (
          <Waiting />
        )}
        {verdict.is === 'waiting' && isAutomated && (
          <Notice tone="warning" title={automatedBrowser.title}>
            {automatedBrowser.remedy}
          </Notice>
        )}
        {!isPatient && verdict.is === 'waiting' && <Checklist address={address} />}
        <SendTest projectKey={project.key} liveEvents={liveEvents} />
      </div>
    </Panel>
  )
}

const noSubscription = () => () => {}

/** The server does not know, so that the first render says nothing. */
const useIsAutomated = (): boolean =>
  useSyncExternalStore(
    noSubscription,
    () => navigator.webdriver,
    () => false,
  )

/** The events that have come in, oldest first, and the project's verdict when this page began to listen. */
function useFirstLiveEvents(project: WaitingProject) {
  const [feed, happen] = useReducer(applyChange, emptyFeed)
  const [atFirst, setAtFirst] = useState<ConnectionVerdict['is']>()
  const connection = useLiveStream(project.slug, (change) => {
    if (change.what === 'recent' && !atFirst) setAtFirst(connectionVerdict(change.liveEvents, project).is)
    happen(change)
  })
  const liveEvents = feed.shown.map(({ liveEvent }) => liveEvent).toReversed()
  return { connection, atFirst, liveEvents, entries: feed.shown }
}

/** Until so much time has passed on this page. */
function useIsWithin(ms: number): boolean {
  const [isPatient, setPatient] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setPatient(false), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isPatient
}

function Lead({ sign, title, children }: { sign: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div aria-live="polite" className="flex gap-3">
      <span className="mt-0.5 flex text-faint">{sign}</span>
      <div className="min-w-0">
        <p className="font-medium">{title}</p>
        {children}
      </div>
    </div>
  )
}

const Waiting = () => (
  <Lead sign={<Spinner />} title="Waiting for your first event">
    <p className="text-pretty text-muted">
      Add a snippet to a page and open that page in another window. This updates automatically.
    </p>
  </Lead>
)

function Troubles({ troubles, timeZone }: { troubles: readonly ConnectionTrouble[]; timeZone: string }) {
  return (
    <Lead
      sign={<Icon of={TriangleAlert} className="text-warning" />}
      title="Events arrived, but were dropped"
    >
      <ul className="mt-2 flex flex-col gap-3">
        {troubles.map(({ title, remedy, count, lastAt }) => (
          <li key={title}>
            <p className="break-words">{title}</p>
            <p className="text-pretty break-words text-muted">{remedy}</p>
            <p className="text-xs text-faint">
              {count > 1 ? `${number(count)} times, last at ` : 'At '}
              {time(lastAt, timeZone)}
            </p>
          </li>
        ))}
      </ul>
    </Lead>
  )
}

function FirstEvent({
  event,
  entries,
  project: { slug, timeZone },
}: {
  event: StoredLiveEvent
  /** The event as its stream has it. */
  entries: readonly LiveFeedEntry[]
  project: WaitingProject
}) {
  const { host = '', path = '', browser, device, city, country } = event.columns
  const visitor = labelOfPerson(event, usePersonLabels(slug, entries))
  const facts = [
    { term: 'Visitor', value: visitor && <PersonName label={visitor} /> },
    { term: 'Event', value: titleOf(event) },
    { term: 'Page', value: `${host}${path}` },
    { term: 'Browser', value: browser },
    { term: 'Device', value: device },
    { term: 'Place', value: [city, country && valueName('country', country)].filter(Boolean).join(', ') },
    { term: 'Received', value: time(event.receivedAt, timeZone) },
  ]

  return (
    <section
      aria-label="Events are arriving"
      className="flex flex-col gap-3 rounded-lg border border-success-line bg-success-soft p-4"
    >
      <Lead sign={<Icon of={CircleCheck} size="lg" className="text-success" />} title="Events are arriving">
        <p className="text-muted">The latest event of your site:</p>
      </Lead>
      <DescriptionList facts={facts.filter(({ value }) => value)} />
      <LinkButton href={paths.live(slug)} wide>
        View live events
      </LinkButton>
    </section>
  )
}

/** The checks to make when no event arrives. */
function Checklist({ address }: { address: string }) {
  return (
    <section aria-label="Troubleshooting" className="border-t border-line pt-3">
      <h3 className="font-medium">No events yet? Check these first</h3>
      <ul className="mt-2 flex flex-col gap-3">
        {likelyCauses(address).map(({ title, remedy, code }) => (
          <li key={title} className="flex flex-col gap-1.5">
            <p>{title}</p>
            <p className="text-pretty break-words text-muted">{remedy}</p>
            {code && <CodeBlock code={code} title="Content-Security-Policy" wrap />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Sends a real event through the public API: if it arrives, the problem is between the site and Tilth. */
function SendTest({ projectKey, liveEvents }: { projectKey: string; liveEvents: readonly LiveEvent[] }) {
  const [outcome, setOutcome] = useState<TestOutcome>()
  const [isSending, startSending] = useTransition()
  const send = () => startSending(async () => setOutcome(await sendTestEvent(projectKey)))

  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      {outcome && <Outcome outcome={outcome} liveEvents={liveEvents} />}
      <Button icon={<Icon of={Send} />} onClick={send} busy={isSending} wide>
        Send test event
      </Button>
    </div>
  )
}

function Outcome({ outcome, liveEvents }: { outcome: TestOutcome; liveEvents: readonly LiveEvent[] }) {
  if (outcome.is === 'taken') return <AcceptedTest isStored={hasStored(liveEvents, outcome.uuid)} />
  if (outcome.is === 'dropped')
    return (
      <Notice tone="warning" title="The test event was dropped">
        The reason is above. Tilth itself works.
      </Notice>
    )
  if (outcome.is === 'refused')
    return (
      <Notice tone="danger" title={`The test event failed with HTTP ${outcome.status}`}>
        {outcome.says || 'The problem is in Tilth or in the proxy in front of it, not on your site.'}
      </Notice>
    )
  return (
    <Notice tone="danger" title="The test event could not be sent">
      This browser blocked it, for example with an ad blocker, or Tilth is not reachable.
    </Notice>
  )
}

function AcceptedTest({ isStored }: { isStored: boolean }) {
  return isStored ? (
    <Notice tone="success" title="The test event was stored">
      Tilth works. The problem is between your site and Tilth.
    </Notice>
  ) : (
    <Notice title="The test event was accepted">It is saved and will be stored in a moment.</Notice>
  )
}
