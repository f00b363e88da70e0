import type { Envelope, IncomingEvent, Properties } from '#events/event'
import { newId } from '#projects/secrets'
import type { World } from '#world/world'
import type { Subscriber } from '../subscribers/subscriber'

/** Names of events about letters. */
type LetterEventName =
  | '$letter_subscribed'
  | '$letter_delivered'
  | '$letter_clicked'
  | '$letter_unsubscribed'
  | '$letter_bounced'

export interface LetterEvent {
  name: LetterEventName
  subscriber: Pick<Subscriber, 'projectId' | 'list' | 'address' | 'distinctId'>
  properties?: Properties
  /** The circumstances of the request that made the event; absent where there is none. */
  envelope?: Envelope
}

interface LetterEventDelivery {
  events: readonly IncomingEvent[]
  envelope: Envelope
}

interface LetterEventDependencies {
  world: World
  /** Ingests events; only the front can. */
  accept: (deliveries: readonly LetterEventDelivery[]) => Promise<unknown>
}

/** Records what happens to letters as events of the subscription's person. */
export class LetterEvents {
  constructor(private readonly dependencies: LetterEventDependencies) {}

  async record(events: readonly LetterEvent[]): Promise<void> {
    const deliveries = events.flatMap((event) => this.deliveryOf(event))
    if (deliveries.length > 0) await this.dependencies.accept(deliveries)
  }

  private deliveryOf({ name, subscriber, properties = {}, envelope }: LetterEvent): LetterEventDelivery[] {
    const { projectId, list, address, distinctId } = subscriber
    if (distinctId === undefined) return []
    const { world } = this.dependencies
    const set: Properties = name === '$letter_subscribed' && address !== undefined ? { email: address } : {}
    const event: IncomingEvent = {
      uuid: newId(world),
      name,
      distinctId,
      timestamp: undefined,
      ageMs: undefined,
      properties: { ...properties, $letter_list: list, $lib: 'tilth-letters' },
      hasPerson: true,
      person: { set, setOnce: {}, unset: [], add: {} },
      identity: undefined,
      groups: {},
      group: undefined,
    }
    return [{ events: [event], envelope: envelope ?? serverEnvelope(projectId, world.now()) }]
  }
}

/** Tilth observes these events itself, without a browser: neither a place nor a device is the person's. */
const serverEnvelope = (projectId: number, receivedAt: Date): Envelope => ({
  projectId,
  dialect: 'letters',
  receivedAt,
  sentAt: undefined,
  address: '',
  userAgent: '',
  language: undefined,
  optedOut: false,
  fromServer: true,
  isHistorical: false,
})
