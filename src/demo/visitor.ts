import type { Acquisition } from './acquisitions'
import type { Chance } from './chance'
import { type Equipment, equipments } from './equipment'
import type { FlagKey } from './flags'
import type { Company, Somebody } from './people'
import { aHome, type Home } from './places'

/** Somebody with a browser. */
export interface Visitor {
  /** What the browser is known by, until its owner is. */
  anonymousId: string
  home: Home
  equipment: Equipment
  acquisition: Acquisition
  cameOn: number
  /** The flags that were asked for so far. */
  asked: Set<FlagKey>
  /** How likely to come back the next day without having signed up. */
  curiosity: number
  account: Account | undefined
}

/** What a visitor who signed up has, and what becomes of it. */
export interface Account {
  person: Somebody
  company: Company
  /** Founded the company's account rather than joined it. */
  isFounder: boolean
  signedUpOn: number
  activatedOn: number | undefined
  /** How likely on a weekday in the long run, once the first days are over. */
  habit: number
  subscribedOn: number | undefined
  cancelledOn: number | undefined
  /** The name the billing system has for whoever pays. */
  billingId: string | undefined
  wasAskedOn: number | undefined
  usesApp: boolean
  /** A second browser that is not known yet to be theirs. */
  newPhone: Equipment | undefined
}

const phones = equipments.filter(({ isPhone }) => isPhone)
const desktops = equipments.filter(({ isPhone }) => !isPhone)

export function newVisitor(acquisition: Acquisition, day: number, at: number, chance: Chance): Visitor {
  return {
    anonymousId: chance.uuid(at),
    home: aHome(chance),
    equipment: chance.weighted(equipments),
    acquisition,
    cameOn: day,
    asked: new Set(),
    curiosity: chance.happens(0.3) ? chance.between(0.05, 0.3) : 0,
    account: undefined,
  }
}

/** Whoever has one at the desk has one in the pocket. */
export function anotherEquipment({ isPhone }: Equipment, chance: Chance): Equipment | undefined {
  const [first, ...others] = isPhone ? desktops : phones
  return first && chance.weighted([first, ...others])
}
