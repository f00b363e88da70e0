import type { Store } from '#store/store'
import { Breakers, inUtc } from './breakers'
import { mailServer } from './lane'
import { droppedSince } from './overflow'

/** A trouble with deliveries, in words for the operator: they name the host of an address, never its path. */
export interface DeliveryTrouble {
  title: string
  remedy: string
}

const hourMs = 60 * 60_000
/** A receiver that is updated or restarted is back by then. */
const reportAfterMs = hourMs
const dropsStayMs = 24 * hourMs
/** The page of a survey or an alert names each of its own. */
const mostNamed = 3

/** Returns receivers that have not answered for long, and what was not queued because too much waited. */
export async function deliveryTroubles(store: Store, now: Date): Promise<DeliveryTrouble[]> {
  const breakers = await Breakers.read(store)
  const silent = breakers.openSince(new Date(now.getTime() - reportAfterMs))
  const named = silent
    .slice(0, mostNamed)
    .map(({ address, failingSince }) => `${nameOf(address)} since ${inUtc(failingSince)}`)
  const others = silent.length - named.length
  const dropped = await droppedSince(store, new Date(now.getTime() - dropsStayMs))
  return [
    ...(silent.length > 0
      ? [
          {
            title: `Receivers do not answer: ${named.join(', ')}${others > 0 ? `, and ${others} more` : ''}`,
            remedy:
              'What waits for them is kept, and tried every 15 minutes. Restore them, or correct or remove them where they are a recipient; for the mail server, check Settings → E-mail.',
          },
        ]
      : []),
    ...(dropped > 0
      ? [
          {
            title: `Responses to surveys were not sent, because too many waited: ${dropped}`,
            remedy:
              'The results of the survey have them, and its list of deliveries says when it was. This stays for a day after the last one.',
          },
        ]
      : []),
  ]
}

const nameOf = (address: string): string => (address === mailServer ? 'the mail server' : address)
