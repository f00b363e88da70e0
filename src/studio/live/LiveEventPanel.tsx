'use client'

import { useState } from 'react'
import type { LiveEvent, StoredLiveEvent } from '#events/live-event'
import { eventAbout } from '#events/taxonomy'
import type { PersonLabel } from '#insights/people/person-label'
import { PersonName } from '#studio/parts/PersonName'
import { paths } from '#studio/paths'
import { TextLink } from '#ui/Anchor'
import { CopyableId } from '#ui/copy/CopyableId'
import { CodeBlock } from '#ui/copy/CodeBlock'
import { type Description, DescriptionList } from '#ui/DescriptionList'
import { Dialog } from '#ui/overlay/Dialog'
import { date, time } from '#ui/format'
import { type Fact, columnFacts, propertyFacts } from './facts'
import type { LiveProject } from './LiveView'
import { LiveEventIcon, TrafficBadge } from './LiveEventIcon'
import { dialectName, titleOf } from './live-event-labels'
import { explainDrop, explainRefusal, type LiveEventExplanation } from './live-event-explanations'

interface LiveEventPanelProps {
  liveEvent: LiveEvent | undefined
  /** Its person, once it is known how they are shown. */
  person: PersonLabel | undefined
  project: LiveProject
  close: () => void
}

/** One event in full, along the edge of the page. */
export function LiveEventPanel({ liveEvent, person, project, close }: LiveEventPanelProps) {
  // while the panel closes it still shows its content
  const [shown, setShown] = useState(liveEvent)
  if (liveEvent && liveEvent !== shown) setShown(liveEvent)

  return (
    <Dialog
      title={shown ? titleOf(shown) : ''}
      description={shown && shown.kind === 'stored' ? eventAbout(shown.name) : undefined}
      place="right"
      size="md"
      open={liveEvent !== undefined}
      onOpenChange={(open) => !open && close()}
    >
      {shown && (
        // a keyboard scrolls it, though nothing in it takes the focus; j and k go on to the event's neighbours
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <section tabIndex={0} data-page-keys aria-label="Details" className="rounded-md">
          <LiveEventDetails liveEvent={shown} person={person} project={project} />
        </section>
      )}
    </Dialog>
  )
}

function LiveEventDetails({
  liveEvent,
  person,
  project: { slug, timeZone, hosts, key },
}: {
  liveEvent: LiveEvent
  person: PersonLabel | undefined
  project: LiveProject
}) {
  if (liveEvent.kind === 'stored') return <StoredDetails {...{ liveEvent, person, slug, timeZone }} />
  const came = { term: 'Received', value: moment(liveEvent.at, timeZone) }
  if (liveEvent.kind === 'dropped') {
    const event = { term: 'Event', value: liveEvent.name || 'Unnamed', mono: true }
    return (
      <NotStoredDetails kind="dropped" words={explainDrop(liveEvent.reason, hosts)} facts={[event, came]} />
    )
  }
  const { named, dialect } = liveEvent
  const facts = [{ term: 'Protocol', value: dialectName(dialect) }, came]
  return (
    <NotStoredDetails
      kind="refused"
      words={explainRefusal(liveEvent, key)}
      facts={named ? [{ term: 'Project named', value: named, mono: true }, ...facts] : facts}
    />
  )
}

const moment = (at: string, timeZone: string): string =>
  `${date(at, timeZone)}, ${time(at, timeZone)} ${timeZone}`

function NotStoredDetails({
  kind,
  words: { title, remedy },
  facts,
}: {
  kind: 'dropped' | 'refused'
  words: LiveEventExplanation
  facts: Description[]
}) {
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-baseline gap-2.5 font-medium break-words">
        <LiveEventIcon kind={kind} />
        <span className="min-w-0">{title}</span>
      </p>
      <p className="break-words text-muted">{remedy}</p>
      <DescriptionList facts={facts} />
    </div>
  )
}

interface StoredDetailsProps {
  liveEvent: StoredLiveEvent
  person: PersonLabel | undefined
  slug: string
  timeZone: string
}

function StoredDetails(props: StoredDetailsProps) {
  const { liveEvent } = props
  const { traffic } = liveEvent.columns
  return (
    <div className="flex flex-col gap-6">
      <p className="flex flex-wrap items-center gap-2.5">
        {traffic && <TrafficBadge kind={traffic} />}
        {titleOf(liveEvent) !== liveEvent.name && (
          <span className="font-mono text-xs break-all text-muted">{liveEvent.name}</span>
        )}
      </p>
      <Facts title="Time and person" facts={identityOf(props)} />
      <Facts title="Standard properties" facts={columnFacts(liveEvent).map(described)} />
      <Facts title="Properties" facts={propertyFacts(liveEvent).map(described)} />
      <Facts
        title="Groups"
        facts={Object.entries(liveEvent.groups).map(([term, value]) => ({ term, value }))}
      />
    </div>
  )
}

function identityOf({ liveEvent, person, slug, timeZone }: StoredDetailsProps): Description[] {
  const { at, receivedAt, distinctId, isCookieless, personId, sessionId, uuid } = liveEvent
  return [
    { term: 'Time', value: moment(at, timeZone) },
    { term: 'Received', value: moment(receivedAt, timeZone) },
    {
      term: 'Person',
      value: (
        <TextLink href={paths.person(slug, personId)}>
          {person ? <PersonName label={person} /> : personId}
        </TextLink>
      ),
    },
    idFact(isCookieless ? 'Daily visitor id' : 'Distinct id', distinctId),
    idFact('Person id', personId),
    idFact('Session', sessionId),
    idFact('Event id', uuid),
  ]
}

const idFact = (term: string, id: string): Description => ({
  term,
  value: id && <CopyableId id={id} label={term} />,
})

const described = ({ name, label, value, isLong }: Fact): Description => ({
  term: label,
  value: isLong ? <CodeBlock code={value} title={name} language="JSON" /> : value,
})

function Facts({ title, facts }: { title: string; facts: Description[] }) {
  if (facts.length === 0) return null
  return (
    <section>
      <h3 className="mb-1 text-base font-semibold">{title}</h3>
      <DescriptionList facts={facts} />
    </section>
  )
}
