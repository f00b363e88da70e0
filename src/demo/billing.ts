import type { Properties } from '../events/event'
import type { Chance } from './chance'
import type { DemoEvent } from './event'
import { seatPrice } from './people'
import { dayMs } from './story'
import type { Account } from './visitor'

const monthDays = 30

/** What the billing system tells of its own accord: nobody looks at a page for it. */
export function bill(account: Account, day: number, at: number, chance: Chance): DemoEvent[] {
  const { subscribedOn, cancelledOn, company } = account
  if (subscribedOn === undefined || cancelledOn !== undefined) return []
  const days = day - subscribedOn
  if (days > 0 && chance.happens(0.0026)) return [cancel(account, day, at, chance)]
  if (days === 0 || days % monthDays !== 0) return []
  if (chance.happens(0.3)) company.seats += chance.whole(1, 3)
  return [
    told(account, at, chance, 'invoice paid', {
      plan: company.plan,
      seats: company.seats,
      $revenue: seatPrice[company.plan] * company.seats,
      $currency: 'EUR',
    }),
  ]
}

function cancel(account: Account, day: number, at: number, chance: Chance): DemoEvent {
  account.cancelledOn = day
  account.company.plan = 'free'
  const reason = chance.pick(['too expensive', 'missing features', 'project ended', 'moved to another tool'])
  return told(account, at, chance, 'subscription cancelled', { reason, $set: { plan: 'free' } })
}

function told(
  { billingId, person, company }: Account,
  from: number,
  chance: Chance,
  event: string,
  properties: Properties,
): DemoEvent {
  const at = from + chance.whole(0, dayMs - 1)
  return {
    uuid: chance.uuid(at),
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
