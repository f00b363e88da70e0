import { propertyLabel } from '#events/taxonomy'
import type { SentEvent } from '#insights/people/sent-events'
import { NamedValue } from '#studio/parts/NamedValue'
import { DescriptionList } from '#ui/DescriptionList'

export function EventFacts({ event: { distinctId, properties } }: { event: SentEvent }) {
  const facts = Object.entries(properties).map(([name, value]) => ({
    term: propertyLabel(name),
    value: <NamedValue property={name} value={typeof value === 'string' ? value : JSON.stringify(value)} />,
  }))
  return <DescriptionList facts={[{ term: 'Distinct id', value: distinctId, mono: true }, ...facts]} />
}
