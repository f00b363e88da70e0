import type { Properties } from '#events/event'
import type { SeededRandom } from './seeded-random'
import type { DemoEvent } from './event'
import { seatPrice } from './people'
import { dayMs } from './story'
import type { DemoAccount } from './visitor'

const monthDays = 30

/** Returns the events of the billing system, which happen without page views. */
export function bill(account: DemoAccount, day: number, at: number, random: SeededRandom): DemoEvent[] {
  const { subscribedOn, cancelledOn, company } = account
  if (subscribedOn === undefined || cancelledOn !== undefined) return []
  const days = day - subscribedOn
  if (days > 0 && random.happens(0.0026)) return [cancel(account, day, at, random)]
  if (days === 0 || days % monthDays !== 0) return []
  if (random.happens(0.3)) company.seats += random.whole(1, 3)
  return [
    billingEvent(account, at, random, 'invoice paid', {
      plan: company.plan,
      seats: company.seats,
      $revenue: seatPrice[company.plan] * company.seats,
      $currency: 'EUR',
    }),
  ]
}

function cancel(account: DemoAccount, day: number, at: number, random: SeededRandom): DemoEvent {
  account.cancelledOn = day
  account.company.plan = 'free'
  const reason = random.pick(['too expensive', 'missing features', 'project ended', 'moved to another tool'])
  return billingEvent(account, at, random, 'subscription cancelled', { reason, $set: { plan: 'free' } })
}

function billingEvent(
  { billingId, person, company }: DemoAccount,
  from: number,
  random: SeededRandom,
  event: string,
  properties: Properties,
): DemoEvent {
  const at = from + random.whole(0, dayMs - 1)
  return {
    uuid: random.uuid(at),
    event,
    distinct_id: billingId ?? person.userId,
    timestamp: new Date(at).toISOString(),
    properties: {
      $is_server: true,
      $lib: 'posthog-node',
      $lib_version: '5.70.0',
      $groups: { company: company.key },
      ...properties,
    },
  }
}
