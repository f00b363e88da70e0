import type { DemoAcquisition } from './acquisitions'
import type { SeededRandom } from './seeded-random'
import { type DemoDevice, demoDevices } from './devices'
import type { FlagKey } from './flags'
import type { DemoCompany, DemoPerson } from './people'
import { newHome, type DemoHome } from './places'

/** A visitor with a browser. */
export interface DemoVisitor {
  /** The distinct id of the browser until its owner is identified. */
  anonymousId: string
  home: DemoHome
  equipment: DemoDevice
  acquisition: DemoAcquisition
  cameOn: number
  /** The flags that were evaluated so far. */
  evaluatedFlags: Set<FlagKey>
  /** The probability of coming back the next day without having signed up. */
  curiosity: number
  account: DemoAccount | undefined
}

/** The account of a visitor who signed up. */
export interface DemoAccount {
  person: DemoPerson
  company: DemoCompany
  /** Whether the person created the company's account or joined it. */
  isFounder: boolean
  signedUpOn: number
  activatedOn: number | undefined
  /** The long-term probability of using the product on a weekday. */
  habit: number
  subscribedOn: number | undefined
  cancelledOn: number | undefined
  /** The billing system's id of a paying person. */
  billingId: string | undefined
  /** The day on which a survey was shown last. */
  lastSurveyOn: number | undefined
  /** The ids of the surveys that were shown. */
  seenSurveys: Set<string>
  usesApp: boolean
  /** A second browser that is not identified yet. */
  newPhone: DemoDevice | undefined
}

const phones = demoDevices.filter(({ isPhone }) => isPhone)
const desktops = demoDevices.filter(({ isPhone }) => !isPhone)

export function newVisitor(
  acquisition: DemoAcquisition,
  day: number,
  at: number,
  random: SeededRandom,
): DemoVisitor {
  return {
    anonymousId: random.uuid(at),
    home: newHome(random),
    equipment: random.weighted(demoDevices),
    acquisition,
    cameOn: day,
    evaluatedFlags: new Set(),
    curiosity: random.happens(0.3) ? random.between(0.05, 0.3) : 0,
    account: undefined,
  }
}

/** Picks a second device: a phone for a desktop, and a desktop for a phone. */
export function anotherDevice({ isPhone }: DemoDevice, random: SeededRandom): DemoDevice | undefined {
  const [first, ...others] = isPhone ? desktops : phones
  return first && random.weighted([first, ...others])
}
